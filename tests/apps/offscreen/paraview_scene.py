# SPDX-License-Identifier: MIT
"""Contours of a wavelet and a sphere in ParaView; each MPI rank renders its part. Usage:
pvpython paraview_scene.py OUT.png"""

import sys

from paraview.simple import (ColorBy, Contour, GetActiveViewOrCreate, Render, SaveScreenshot, Show,
                             Sphere, Wavelet)

view = GetActiveViewOrCreate("RenderView")
view.ViewSize = [400, 300]
view.OrientationAxesVisibility = 0
wavelet = Wavelet(WholeExtent=[-20, 20, -20, 20, -20, 20])
contour = Contour(Input=wavelet, ContourBy=["POINTS", "RTData"], Isosurfaces=[130, 180, 230])
shown = Show(contour, view)
ColorBy(shown, ("POINTS", "Normals", "X"))
Show(Sphere(Radius=9, ThetaResolution=48, PhiResolution=48), view)
view.ResetCamera()
Render(view)
SaveScreenshot(sys.argv[1], view)
for line in view.GetClientSideObject().GetRenderWindow().ReportCapabilities().splitlines():
    if "renderer string" in line:
        print(line)
