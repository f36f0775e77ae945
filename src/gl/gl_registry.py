# SPDX-License-Identifier: MIT
"""Reads the Khronos registry (gl.xml) into plain objects that the generators of this room share."""

import re
import xml.etree.ElementTree as ET

APIS = ('compat', 'core', 'es1', 'es2')  # enum gl_api's order


class Param:
    def __init__(self, node):
        self.name = node.find('name').text
        text = ''.join(node.itertext())
        self.type = re.sub(r'\s+', ' ', text[: text.rindex(self.name)]).strip()
        self.array = text[text.rindex(self.name) + len(self.name):].strip()
        if self.array:  # "const GLfloat v[4]" style
            self.type += ' *'
        self.type = re.sub(r'\bstruct (_cl_\w+)', r'void', self.type)
        self.length = node.get('len')
        # C keywords and macros of system headers
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

    @property
    def short(self):
        return self.name[2:]

    @property
    def parameters(self):
        return ', '.join(p.declaration for p in self.params) or 'void'

    @property
    def arguments(self):
        return ', '.join(p.name for p in self.params)


class Registry:
    """commands: by name; slots: sorted canonical commands; slot_of: name → canonical name."""

    def __init__(self, path):
        root = ET.parse(path).getroot()
        self.enums = {}
        self.enum_groups = {}
        for block in root.findall('enums'):
            for e in block.findall('enum'):
                if e.get('api') in (None, 'gl', 'gles1', 'gles2', 'glcore'):
                    self.enums.setdefault(e.get('name'), e.get('value'))
        self.commands = {}
        for node in root.find('commands').findall('command'):
            command = Command(node)
            self.commands[command.name] = command
        self._read_features(root)
        self.commands = {n: c for n, c in self.commands.items() if c.apis}
        self.slot_of = {name: self._canonical(name) for name in self.commands}
        self.slots = [self.commands[n] for n in sorted(set(self.slot_of.values()))]
        for name, slot in self.slot_of.items():
            self.commands[slot].apis |= self.commands[name].apis
        for name, slot in self.slot_of.items():
            self.commands[name].apis = self.commands[slot].apis

    def _canonical(self, name):
        seen = set()
        while name not in seen:
            seen.add(name)
            alias = self.commands[name].alias
            if not alias or alias not in self.commands:
                break
            name = alias
        return name

    def _add(self, node, apis, remove=False):
        for c in node.findall('command'):
            command = self.commands[c.get('name')]
            if remove:
                command.apis -= apis
            else:
                command.apis |= apis

    def _read_features(self, root):
        map_api = {'gl': {'compat', 'core'}, 'gles1': {'es1'}, 'gles2': {'es2'}}
        for feature in root.findall('feature'):
            apis = map_api.get(feature.get('api'))
            if not apis:
                continue
            for require in feature.findall('require'):
                profile = require.get('profile')
                self._add(require, {'compat'} if profile == 'compatibility' else apis)
            for remove in feature.findall('remove'):
                self._add(remove, {'core'} & apis, remove=True)
        ext_api = {'gl': {'compat'}, 'glcore': {'core'}, 'gles1': {'es1'}, 'gles2': {'es2'}}
        for extension in root.find('extensions').findall('extension'):
            apis = set()
            for a in extension.get('supported').split('|'):
                apis |= ext_api.get(a, set())
            for require in extension.findall('require'):
                limit = ext_api.get(require.get('api'), set(APIS))
                if require.get('api') == 'gl':
                    limit = {'compat', 'core'}
                self._add(require, apis & limit)


def api_mask(command):
    return sum(1 << APIS.index(a) for a in command.apis)
