//@v
attribute vec4 a; varying vec4 color; varying vec2 v; uniform mat4 m; uniform int n;
void main() {
    vec3 normal = normalize(gl_NormalMatrix * gl_Normal);
    vec4 p = gl_ModelViewMatrix * gl_Vertex;
    color = gl_LightSource[0].diffuse * max(dot(normal, gl_LightSource[n].position.xyz), 0.) + gl_Color;
    gl_TexCoord[0] = gl_TextureMatrix[0] * gl_MultiTexCoord0; v = a.st;
    gl_FogFragCoord = abs(p.z) * gl_Fog.scale; gl_ClipVertex = p; gl_PointSize = gl_Point.size;
    gl_FrontColor = color; gl_BackColor = gl_FrontMaterial.ambient; gl_Position = m * ftransform();
}
