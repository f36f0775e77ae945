# SPDX-License-Identifier: MIT
"""Blender's default scene and a torus, rendered with Workbench. Usage: blender -b -P
blender_scene.py -- OUT.png"""

import sys

import bpy

bpy.ops.mesh.primitive_torus_add(location=(1.5, -1, 0.5))
scene = bpy.context.scene
scene.render.engine = "BLENDER_WORKBENCH"
scene.display.shading.light = "STUDIO"
scene.display.shading.show_cavity = True
scene.display.render_aa = "FXAA"
scene.render.resolution_x, scene.render.resolution_y = 400, 300
scene.render.resolution_percentage = 100
scene.render.filepath = sys.argv[-1]
bpy.ops.render.render(write_still=True)
