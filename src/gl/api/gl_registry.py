# SPDX-License-Identifier: MIT
"""
Reads the Khronos registry (gl.xml), with the additions in gl_registry_additions.xml, into plain objects for the
generators of src/gl.
"""

import functools
import os
import re
import xml.etree.ElementTree as ET

APIS = ('compat', 'core', 'es1', 'es2')  # in the order of enum gl_api
FEATURE_APIS = {'gl': {'compat', 'core'}, 'gles1': {'es1'}, 'gles2': {'es2'}}
# Commands of EXT_direct_state_access that create the buffer, unlike the commands that the registry
# calls their aliases.
MAKING = ('glNamedBufferSubDataEXT', 'glNamedBufferStorageEXT')
EXTENSION_APIS = {'gl': {'compat'}, 'glcore': {'core'}, 'gles1': {'es1'}, 'gles2': {'es2'}}

# Queries of the imaging subset (ARB_imaging), which Indium doesn't support. GL 4.5 and
# ARB_robustness define them only together with it (GL 4.5 §8.4).
IMAGING = {f'glGetn{what}{suffix}' for suffix in ('', 'ARB') for what in
           ('ColorTable', 'ConvolutionFilter', 'Histogram', 'Minmax', 'SeparableFilter')}
# Commands that no context has although an advertised extension lists them: they also require an
# extension that is not advertised.
NOT_HERE = IMAGING | {'glVertexWeighthNV', 'glVertexWeighthvNV'}  # EXT_vertex_weighting


@functools.cache
def advertised():
    """Returns a map: extension → APIs that advertise it, maybe more than in the registry."""
    from gl_extensions import EXTENSIONS  # here because it imports this module
    return {f'GL_{e[0]}': {APIS['CD12'.index(a)] for a in e[1]} for e in EXTENSIONS}


class Param:
    def __init__(self, node):
        self.name = node.find('name').text
        text = ''.join(node.itertext())
        self.type = re.sub(r'\s+', ' ', text[: text.rindex(self.name)]).strip()
        self.array = text[text.rindex(self.name) + len(self.name):].strip()
        if self.array:  # declared like "const GLfloat v[4]"
            self.type += ' *'
        self.type = re.sub(r'\bstruct (_cl_\w+)', r'void', self.type)
        self.length = node.get('len')
        self.group = node.get('group')  # group of enumerants
        self.object_class = node.get('class')  # kind of object name, e.g. 'texture'
        # names that clash with macros or functions of system headers
        if self.name in ('near', 'far', 'ref', 'index', 'y1', 'y0'):
            self.name += '_'

    @property
    def pointer(self):
        return '*' in self.type

    @property
    def declaration(self):
        return self.type + ('' if self.type.endswith('*') else ' ') + self.name


class Command:
    def __init__(self, node):
        proto = node.find('proto')
        self.name = proto.find('name').text
        text = ''.join(proto.itertext())
        self.returns = re.sub(r'\s+', ' ', text[: text.rindex(self.name)]).strip()
        self.params = [Param(p) for p in node.findall('param')]
        alias = node.find('alias')
        self.alias = alias.get('name') if alias is not None else None
        self.apis = set()
        self.since = {}  # API → first version that has it

    @property
    def short(self):
        return self.name[2:]

    @property
    def parameters(self):
        return ', '.join(p.declaration for p in self.params) or 'void'

    @property
    def arguments(self):
        return ', '.join(p.name for p in self.params)


def read_tree(path):
    """Returns the root of gl.xml with the entries of gl_registry_additions.xml that it lacks."""
    root = ET.parse(path).getroot()
    here = os.path.dirname(os.path.realpath(__file__))
    own = ET.parse(os.path.join(here, 'gl_registry_additions.xml')).getroot()
    known = {e.get('name') for e in root.iterfind('enums/enum')}
    for block in own.findall('enums'):
        for e in [e for e in block if e.get('name') in known]:
            block.remove(e)
        root.append(block)
    known = {c.findtext('proto/name') for c in root.iterfind('commands/command')}
    root.find('commands').extend(c for c in own.iterfind('commands/command')
                                 if c.findtext('proto/name') not in known)
    root.find('extensions').extend(own.iterfind('extensions/extension'))
    return root


class Registry:
    """commands: name → Command; slots: sorted canonical commands; slot_of: name → canonical name."""

    def __init__(self, path):
        root = read_tree(path)
        self.enums = {}
        for block in root.findall('enums'):
            for e in block.findall('enum'):
                if e.get('api') in (None, 'gl', 'gles1', 'gles2', 'glcore'):
                    self.enums.setdefault(e.get('name'), e.get('value'))
        self.commands = {}
        for node in root.find('commands').findall('command'):
            command = Command(node)
            self.commands[command.name] = command
        self._read_features(root)
        self._read_enum_sources(root)
        for name in MAKING:
            self.commands[name].alias = None
        self._alias_commands()
        self.commands = {n: c for n, c in self.commands.items() if c.apis}
        self.slot_of = {name: self._canonical(name) for name in self.commands}
        self.slots = [self.commands[n] for n in sorted(set(self.slot_of.values()))]
        for name, slot in self.slot_of.items():
            self.commands[slot].apis |= self.commands[name].apis
            for api, version in self.commands[name].since.items():
                since = self.commands[slot].since
                since[api] = min(version, since.get(api, version))
        for name, slot in self.slot_of.items():
            self.commands[name].apis = self.commands[slot].apis
        self._read_extension_slots(root)

    def _read_enum_sources(self, root):
        """
        Sets enum_sources and groups. enum_sources maps an enumerant's value to the set of versions
        and extensions that define it: (API, version), e.g. ('es2', 30), or (API, extension name
        without GL_). groups maps a group's name to its values.
        """
        self.groups = {}
        for e in root.iterfind('enums/enum'):
            for group in (e.get('group') or '').split(','):
                self.groups.setdefault(group, set()).add(int(e.get('value'), 0))
        by_name = {}

        def note(node, sources):
            for e in node.findall('enum'):
                by_name.setdefault(e.get('name'), set()).update(sources)

        for feature in root.findall('feature'):
            version = int(feature.get('number').replace('.', ''))
            apis = FEATURE_APIS.get(feature.get('api'), set())
            for require in feature.findall('require'):
                only = {'compat'} if require.get('profile') == 'compatibility' else apis
                note(require, {(api, version) for api in apis & only})
            for e in feature.findall('remove/enum'):
                sources = by_name.get(e.get('name'), set())
                sources -= {s for s in sources if s[0] == 'core'}
        for extension in root.find('extensions').findall('extension'):
            for require in extension.findall('require'):
                note(require, {(api, extension.get('name')[3:])
                               for api in self._extension_apis(extension, require)})
        self.enum_sources = {}
        for name, sources in by_name.items():
            if self.enums.get(name):
                self.enum_sources.setdefault(int(self.enums[name], 0), set()).update(sources)

    def _alias_commands(self):
        """
        Adds aliases that the registry lacks, between commands that differ only by suffix: those of
        OpenGL ES extensions, of 64-bit integer uniforms (AMD_gpu_shader_int64) and of sample
        locations (NV_sample_locations). Texture
        coordinate generation is excluded because ES 1 defines it differently.
        """
        def types(command):
            return [p.type.replace('GLint', 'GLenum') for p in command.params]

        for name, command in self.commands.items():
            core = self.commands.get(re.sub('(OES|EXT|NV)$', '', name))
            of_es = name.endswith('OES') or command.apis == {'es2'}
            if re.search('Uniform[1-4]?u?i64v?NV$', name):
                command.alias = name[:-2] + 'ARB'
            elif name.endswith('SampleLocationsfvNV') and name[:-2] + 'ARB' in self.commands:
                command.alias = name[:-2] + 'ARB'
            elif name.startswith('glProgramUniform') and core not in (None, command):
                command.alias = core.name  # the registry lacks the aliases for doubles
            elif of_es and not command.alias and core not in (None, command) and \
                    'TexGen' not in name and types(command) == types(core):
                command.alias = core.name
                command.apis -= {'compat', 'core'}

    def _read_extension_slots(self, root):
        """
        Sets extension_slots, a map from an extension's name without GL_ to the slots it requires.
        Commands that it defines only in combination with other extensions are left out.
        """
        self.extension_slots = {}
        for extension in root.iterfind('extensions/extension'):
            slots = self.extension_slots.setdefault(extension.get('name')[3:], set())
            for require in extension.findall('require'):
                if not re.search('interaction|direct_state_access|unrelated|NV_gpu_program4 commands|'
                                 'NV_explicit_multi|NV_framebuffer_multi|ARB_sparse',
                                 require.get('comment') or ''):
                    slots |= {self.slot_of[c.get('name')] for c in require.findall('command')
                              if c.get('name') in self.slot_of}

    @staticmethod
    def _extension_apis(extension, require):
        """Returns the APIs to which a <require> element of an extension applies."""
        apis = set()
        for a in extension.get('supported').split('|'):
            apis |= EXTENSION_APIS.get(a, set())
        apis |= advertised().get(extension.get('name'), set())
        if require.get('api') == 'gl':
            return apis & {'compat', 'core'}
        if require.get('api') == 'gles2':
            return apis & {'es1', 'es2'}
        return apis & EXTENSION_APIS.get(require.get('api'), set(APIS))

    def _canonical(self, name):
        seen = set()
        while name not in seen:
            seen.add(name)
            alias = self.commands[name].alias
            if not alias or alias not in self.commands:
                break
            name = alias
        return name

    def _add(self, node, apis, version=None):
        for c in node.findall('command'):
            command = self.commands[c.get('name')]
            command.apis |= apis
            for api in apis if version else ():
                command.since.setdefault(api, version)

    def _remove(self, node, apis):
        for c in node.findall('command'):
            command = self.commands[c.get('name')]
            command.apis -= apis
            for api in apis:
                command.since.pop(api, None)

    def _read_features(self, root):
        for feature in root.findall('feature'):
            apis = FEATURE_APIS.get(feature.get('api'))
            if not apis:
                continue
            version = int(feature.get('number').replace('.', ''))
            for require in feature.findall('require'):
                profile = require.get('profile')
                self._add(require, {'compat'} if profile == 'compatibility' else apis, version)
                if apis == {'es1'}:  # NV_ES1_1_compatibility
                    self._add(require, {'compat'})
            for remove in feature.findall('remove'):
                self._remove(remove, {'core'} & apis)
        for name in IMAGING:
            self.commands[name].since.clear()
        for extension in root.find('extensions').findall('extension'):
            for require in extension.findall('require'):
                self._add(require, self._extension_apis(extension, require))


def api_mask(command):
    return sum(1 << APIS.index(a) for a in command.apis)


def since(command):
    """Returns, for each API, the first version that has the command; 0: none."""
    return [command.since.get(a, 0) for a in APIS]
