# SPDX-License-Identifier: MIT
"""Animated shapes and text with pyglet in a window."""

import pyglet

window = pyglet.window.Window(400, 300)
batch = pyglet.graphics.Batch()
star = pyglet.shapes.Star(200, 150, 120, 50, 7, color=(250, 180, 30), batch=batch)
circles = [pyglet.shapes.Circle(60 + 70 * i, 60, 20 + 5 * i, color=(40 * i, 90, 250 - 40 * i),
                                batch=batch) for i in range(5)]
line = pyglet.shapes.Line(20, 20, 380, 280, width=6, color=(90, 250, 120), batch=batch)
label = pyglet.text.Label("pyglet", font_size=28, x=200, y=230, anchor_x="center", batch=batch)


@window.event
def on_draw():
    window.clear()
    batch.draw()
    star.rotation += 5


pyglet.clock.schedule_interval(lambda _: None, 1 / 60)
pyglet.app.run()
