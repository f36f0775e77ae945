# SPDX-License-Identifier: MIT
"""Opaque and translucent surfaces and a volume with VTK, off-screen. Usage: vtk_scene.py OUT.png"""

import sys

from vtkmodules.all import (
    vtkActor, vtkColorTransferFunction, vtkConeSource, vtkGPUVolumeRayCastMapper,
    vtkParametricFunctionSource, vtkParametricTorus, vtkPiecewiseFunction, vtkPNGWriter,
    vtkPolyDataMapper, vtkRenderer, vtkRenderWindow, vtkRTAnalyticSource, vtkSphereSource,
    vtkVolume, vtkVolumeProperty, vtkWindowToImageFilter)


def actor(source, color, opacity=1.0, at=(0, 0, 0)):
    mapper = vtkPolyDataMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    made = vtkActor()
    made.SetMapper(mapper)
    made.SetPosition(*at)
    made.GetProperty().SetColor(*color)
    made.GetProperty().SetOpacity(opacity)
    made.GetProperty().SetSpecular(0.4)
    return made


def volume():
    source = vtkRTAnalyticSource()
    source.SetWholeExtent(-16, 16, -16, 16, -16, 16)
    mapper = vtkGPUVolumeRayCastMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    colors, opacity, prop = vtkColorTransferFunction(), vtkPiecewiseFunction(), vtkVolumeProperty()
    colors.AddRGBPoint(40, 0.1, 0.2, 0.9)
    colors.AddRGBPoint(250, 0.9, 0.3, 0.1)
    opacity.AddPoint(100, 0)
    opacity.AddPoint(280, 0.3)
    prop.SetColor(colors)
    prop.SetScalarOpacity(opacity)
    prop.SetInterpolationTypeToLinear()
    made = vtkVolume()
    made.SetMapper(mapper)
    made.SetProperty(prop)
    made.SetScale(0.05)
    made.SetPosition(0, 2.2, 0)
    return made


def main(out):
    renderer, window = vtkRenderer(), vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetSize(400, 300)
    window.AddRenderer(renderer)
    renderer.SetBackground(0.1, 0.15, 0.2)
    torus = vtkParametricFunctionSource()
    torus.SetParametricFunction(vtkParametricTorus())
    sphere, cone = vtkSphereSource(), vtkConeSource()
    sphere.SetPhiResolution(40)
    sphere.SetThetaResolution(40)
    cone.SetResolution(32)
    renderer.AddActor(actor(torus, (0.9, 0.7, 0.2)))
    renderer.AddActor(actor(sphere, (0.2, 0.6, 0.9), 0.5, (1.2, 0.4, 0.6)))
    renderer.AddActor(actor(cone, (0.8, 0.2, 0.3), 1.0, (-1.4, -0.6, 0.8)))
    renderer.AddVolume(volume())
    renderer.ResetCamera()
    window.Render()
    grab, writer = vtkWindowToImageFilter(), vtkPNGWriter()
    grab.SetInput(window)
    writer.SetInputConnection(grab.GetOutputPort())
    writer.SetFileName(out)
    writer.Write()
    for line in window.ReportCapabilities().splitlines():
        if "renderer string" in line:
            print(line)


main(sys.argv[1])
