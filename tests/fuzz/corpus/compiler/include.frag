//@f
#version 450
#extension GL_ARB_shading_language_include : require
#include "a"
#include </a>
void main() { gl_FragDepth = a; }
