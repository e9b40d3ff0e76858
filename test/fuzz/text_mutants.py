# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graph text with a few tokens changed."""

import re

from opgraph._ops import ENUMS, OPS

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|[\w.%@#$?]+|\s+|.', re.S)
TYPES = ("f32", "f64", "f16", "bf16", "i8", "ui8", "i32", "i64", "i1",
         "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN", "i4", "f128", "index")
NUMBERS = ("0", "1", "2", "3", "4", "7", "8", "64", "1024", "65536", "-1", "?",
           "2147483648", "9223372036854775807", "99999999999999999999",
           "0x7FF8000000000000", "1.5", "-0.0", "1.0e308", "true", "unit")
PIECES = ("{", "}", "(", ")", "<", ">", ",", ":", "->", "=", "[", "]", "%x",
          "graph.return", "loc(unknown)", "\0", "\\", '"', "\u00e9", "x")


class TextMutator:
    def __init__(self, rng):
        self.rng = rng

    def pick(self, options):
        return options[int(self.rng.integers(len(options)))]

    def mutate(self, text):
        tokens = TOKEN.findall(text)
        for _ in range(self.pick((1, 1, 1, 2, 3))):
            self.change(tokens)
        return "".join(tokens)

    def word(self, tokens):
        """The place of a token that means something."""
        for _ in range(64):
            at = int(self.rng.integers(len(tokens)))
            token = tokens[at]
            if token.isspace() or token.startswith("//"):
                continue
            # Punctuation and keywords seldom give something that parses.
            promising = any(c.isdigit() for c in token) or token[0] == "%" or (
                token.startswith("graph.") and token[6:] in OPS)
            if promising or self.rng.random() < (
                    0.2 if token[0].isalpha() else 0.05):
                return at
        return 0

    def change(self, tokens):
        if not tokens:
            return
        at, draw = self.word(tokens), self.rng.random()
        if draw < 0.05:
            del tokens[at]
        elif draw < 0.09:
            tokens.insert(at, tokens[self.word(tokens)])
        elif draw < 0.12:
            other = self.word(tokens)
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif draw < 0.14:
            tokens.insert(at, self.pick(PIECES))
        elif draw < 0.145:
            del tokens[at:]
        elif draw < 0.17:
            self.line(tokens, at)
        else:
            old, new = tokens[at], self.similar(tokens, at)
            # A type changed in one place only seldom passes the parser.
            everywhere = "x" in old and self.rng.random() < 0.8
            for index in range(len(tokens)) if everywhere else (at,):
                if tokens[index] == old:
                    tokens[index] = new

    def line(self, tokens, at):
        """Deletes or doubles the rest of a line."""
        end = next((i for i in range(at, len(tokens)) if "\n" in tokens[i]),
                   len(tokens))
        if self.rng.random() < 0.5:
            del tokens[at:end]
        else:
            tokens[at:at] = tokens[at:end]

    def similar(self, tokens, at):
        """Another token of the same kind."""
        word = tokens[at]
        if word.startswith("graph.") and word[6:] in OPS:
            return "graph." + self.operation(word[6:])
        if word.startswith("%"):
            names = [t for t in tokens if t.startswith("%")]
            return self.pick(names)
        for members in ENUMS.values():
            texts = [text for text, _ in members.values()]
            if word in texts:
                return self.pick(texts)
        if re.fullmatch(r"[\d.?x]*x(\w+)", word):
            return self.shape(word)
        if word in TYPES:
            return self.pick(TYPES)
        if re.fullmatch(r"[\d.?]+(e[+-]?\d+)?", word):
            return self.pick(NUMBERS)
        alike = [t for t in tokens if t[0].isalpha() == word[0].isalpha()
                 and not t.isspace()]
        return self.pick(alike)

    def operation(self, name):
        """One with as many operands, mostly."""
        alike = [op for op, spec in OPS.items()
                 if len(spec.operands) == len(OPS[name].operands)]
        return self.pick(alike if self.rng.random() < 0.8 else list(OPS))

    def shape(self, word):
        """4x8xf32 with an extent or the element type changed."""
        parts = word.split("x")
        at = int(self.rng.integers(len(parts)))
        draw = self.rng.random()
        if at == len(parts) - 1:
            parts[at] = self.pick(TYPES)
        elif draw < 0.1:
            del parts[at]
        elif draw < 0.2:
            parts.insert(at, self.pick(NUMBERS[:7]))
        else:
            parts[at] = self.pick(NUMBERS[:14])
        return "x".join(parts)
