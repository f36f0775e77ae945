// SPDX-License-Identifier: MIT
// A difference and an intersection, which the preview draws by OpenCSG: stencil and depth.
difference() {
    cube(20, center = true);
    sphere(12.5, $fn = 48);
    cylinder(30, 4, 4, center = true, $fn = 32);
}
translate([0, 0, 18]) intersection() {
    color("tomato") cube(10, center = true);
    color("steelblue") sphere(6.5, $fn = 32);
}
