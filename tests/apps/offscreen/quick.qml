// SPDX-License-Identifier: MIT
// A scene of Qt Quick: gradients, text, a path, layers with samples, an effect and an animation.
import QtQuick
import QtQuick.Shapes
import QtQuick.Window

Window {
    width: 400
    height: 300
    visible: true
    color: "#203040"

    Rectangle {
        x: 20; y: 20; width: 120; height: 90
        radius: 16
        rotation: 12
        antialiasing: true
        gradient: Gradient {
            GradientStop { position: 0; color: "#ffd080" }
            GradientStop { position: 1; color: "#a02010" }
        }
    }
    Text {
        x: 160; y: 20
        text: "Qt Quick"
        color: "white"
        font.pixelSize: 40
    }
    Shape {
        x: 160; y: 90; width: 200; height: 160
        layer.enabled: true
        layer.samples: 4

        ShapePath {
            strokeColor: "yellow"
            strokeWidth: 4
            fillColor: "#6040a0ff"
            startX: 10; startY: 150
            PathCubic {
                x: 190; y: 150
                control1X: 20; control1Y: -60
                control2X: 180; control2Y: -60
            }
        }
    }
    Item {
        id: circle
        x: 20; y: 140; width: 100; height: 100

        Rectangle { anchors.fill: parent; radius: 50; color: "green" }
        Repeater {
            model: 5
            Rectangle {
                x: index * 20; y: index * 18; width: 16; height: 16
                color: Qt.hsva(index / 5, 1, 1, 0.7)
            }
        }
    }
    ShaderEffectSource {
        x: 130; y: 240; width: 50; height: 50
        sourceItem: circle
    }
    Rectangle {
        x: 300; y: 220; width: 60; height: 60
        color: "#ff60a0"
        NumberAnimation on rotation { from: 0; to: 360; duration: 2000; loops: Animation.Infinite }
    }
}
