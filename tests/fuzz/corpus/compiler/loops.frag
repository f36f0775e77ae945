//@f
#version 130
uniform int n; out vec4 c; uniform float a[8];
int f(int x) { if (x > 3) return x; for (int i = 0; i < x; i++) { if (i == n) return i; switch (i) { case 1: continue; case 2: return 5; default: break; } } return 0; }
void main() { int s = 0; for (;;) { if (s++ > 5) break; { int s = 3; s += f(s); if (s > 4) continue; } }
 while (bool b = s < 10) { s += 2; if (b) for (int j = s; --j > 0; ) c[j & 3] += a[j]; else do ; while (s-- > 3); } c = vec4(f(s), s, a[s], a[1 + 2 * 3 - 4 / 2]); }
