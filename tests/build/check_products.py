#!/usr/bin/env python3
"""check_products.py NVCC ROOT SOURCE...: whether Hopper's kernels are fast and right in machine code, as the pinned ptxas makes it.

Compiles each CUDA source, below the folder ROOT, for compute capability 9.0a, and fails for two faults that no build shows
and no result shows every time:

- Products of a warpgroup (wgmma, in machine code HGMMA) that wait for each other. ptxas says so, but not as a warning.
- Products that may read what something else wrote. One whose operand A is in registers reads them after it was issued, until
  a wait for its group. ptxas before 13.3 can give these registers to something else too soon; CUDA's release notes for 13.3
  name the fault, and the ptxas that is pinned may have it. From each such product every path is followed to its wait, and no
  instruction on it may write one of the four registers.

Prints a line for each; then the exit status is 1. An instruction that this program has no entry for ends it too: add its
number below, to those that write registers or to those that do not.
"""

import concurrent.futures
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

# Numbers of instructions without the bits that say where operands are (register, constant, immediate).
# Registers that are written, from the one that the instruction names on.
WRITES = {
    0x002: 1,  # MOV
    0x003: 1,  # P2R
    0x005: 2,  # CS2R
    0x007: 1,  # SEL
    0x008: 1,  # FSEL
    0x009: 1,  # FMNMX
    0x010: 1,  # IADD3
    0x011: 1,  # LEA
    0x012: 1,  # LOP3
    0x013: 1,  # IABS
    0x016: 1,  # PRMT
    0x019: 1,  # SHF
    0x020: 1,  # FMUL
    0x021: 1,  # FADD
    0x023: 1,  # FFMA
    0x024: 1,  # IMAD
    0x025: 2,  # IMAD.WIDE
    0x027: 1,  # IMAD.HI
    0x030: 1,  # HADD2
    0x031: 1,  # HFMA2
    0x032: 1,  # HMUL2
    0x035: 1,  # HFMA2.MMA
    0x036: 1,  # VIADD
    0x03e: 1,  # F2FP
    0x045: 1,  # I2FP
    0x046: 1,  # VIADDMNMX
    0x048: 1,  # VIMNMX
    0x100: 1,  # FLO
    0x105: 1,  # F2I
    0x106: 1,  # I2F
    0x108: 1,  # MUFU
    0x109: 1,  # POPC
    0x119: 1,  # S2R
    0x189: 1,  # SHFL
    0x18c: 1,  # ATOMS, of 32 bits
}
# As many as their size says.
LOADS = {0x181, 0x182, 0x184, 0x1a8}  # LDG, LDC, LDS, ATOMG
WORDS = {4: 1, 5: 2, 6: 4}
WRITES_NOTHING = {
    0x00b, 0x00c, 0x01c,  # FSETP, ISETP, PLOP3
    0x02f, 0x044,  # ELECT, STSM
    0x082, 0x086, 0x087, 0x08c, 0x090, 0x091, 0x092, 0x099, 0x0a4, 0x0a5, 0x0b9, 0x0ca,  # of uniform registers
    0x118, 0x11a, 0x11b, 0x11d,  # NOP, DEPBAR, ENDCOLLECTIVE, BAR
    0x141, 0x145, 0x146, 0x148,  # BSYNC, BSSY, YIELD, WARPSYNC
    0x186, 0x188, 0x18e, 0x18f, 0x192,  # STG, STS, REDG, CCTL, MEMBAR
    0x1a7, 0x1ab, 0x1b2, 0x1b4, 0x1b7, 0x1ba, 0x1bb,  # SYNCS, ERRBAR, UTMALDG, UTMACMDFLUSH, UBLKCP, UBLKRED
    0x1c3, 0x1c6, 0x1c8,  # S2UR, FENCE, USETMAXREG
}
PRODUCT, PRODUCT_OF_REGISTERS = 0x1F0, 0xDF0  # HGMMA; the second with all bits
WARPGROUP, BRANCH, EXIT = 0x1C5, 0x147, 0x14D
NO_REGISTER = 255


class Unknown(Exception):
    pass


class Instruction:
    def __init__(self, low, high):
        self.low, self.high = low, high
        self.full, self.number = low & 0xFFF, low & 0x1FF
        self.destination, self.first = low >> 16 & 0xFF, low >> 24 & 0xFF
        self.always = low >> 12 & 0xF == 7

    def ends_group(self):
        return self.number == PRODUCT and self.high >> 20 & 7 == 0

    def awaited(self):
        """How many groups may still be pending after it; None where it is no wait."""
        return self.high >> 8 & 0x3F if self.number == WARPGROUP and self.high >> 16 & 1 else None

    def written(self, at):
        if self.number == PRODUCT:
            count = ((self.low >> 53 & 0x1F) + 1) * 4  # 64 × n numbers of 32 bits among 128 threads
        elif self.number in LOADS:
            count = WORDS.get(self.high >> 9 & 7, 1)
        elif self.number in WRITES:
            count = WRITES[self.number]
        elif self.number in WRITES_NOTHING or self.number in (WARPGROUP, BRANCH, EXIT):
            count = 0
        else:
            raise Unknown(f"the instruction {self.full:#05x} at {at * 16:#x} is none that check_products.py knows")
        return range(self.destination, self.destination + count if self.destination != NO_REGISTER else 0)

    def next(self, at):
        """Where it can go on."""
        if self.number == EXIT and self.always:
            return []
        if self.number != BRANCH:
            return [at + 1]
        word = self.low | self.high << 64
        distance = (word >> 34 & (1 << 48) - 1) - (1 << 48 if word >> 81 & 1 else 0) << 8 | self.low >> 16 & 0xFF
        target = at + 1 + distance // 4
        sure = self.always and self.high & 0x1FFFFFC0000 == 0x3800000
        return [target] if sure else [target, at + 1]


def code_of(cubin):
    """The instructions of each function, by its mangled name."""
    if cubin[:5] != b"\x7fELF\x02":
        raise Unknown("that is no cubin")
    table, = struct.unpack_from("<Q", cubin, 0x28)
    size, count, names = struct.unpack_from("<HHH", cubin, 0x3A)
    sections = [struct.unpack_from("<IIQQQQ", cubin, table + i * size) for i in range(count)]
    strings = sections[names][4]
    for name, _, _, _, offset, length in sections:
        name = cubin[strings + name:cubin.index(b"\0", strings + name)].decode()
        if name.startswith(".text."):
            words = struct.iter_unpack("<QQ", cubin[offset:offset + length])
            yield name[len(".text."):], [Instruction(low, high) for low, high in words]


def overwritten(code, product):
    """The first instructions, on any way from this product to its wait, that write what it reads."""
    read = range(code[product].first, code[product].first + 4)
    found, seen = set(), set()
    todo = [(at, int(code[product].ends_group())) for at in code[product].next(product)]
    while todo:
        at, groups = todo.pop()
        if (at, groups) in seen or at >= len(code):
            continue
        seen.add((at, groups))
        its = code[at]
        pending = its.awaited()
        if pending is not None and groups > pending:
            continue
        written = its.written(at)
        if written and written[0] < read[-1] + 1 and read[0] <= written[-1]:
            found.add(at)
            continue
        groups = min(groups + its.ends_group(), 8)
        todo += [(to, groups) for to in its.next(at)]
    return sorted(found)


def faults(cubin):
    """How many products with registers there are, and a sentence for each whose registers are written too soon."""
    products, sentences = 0, []
    for name, code in code_of(cubin):
        for at, its in enumerate(code):
            if its.full != PRODUCT_OF_REGISTERS:
                continue
            products += 1
            for where in overwritten(code, at):
                sentences.append(f"{name}: the instruction at {where * 16:#x} writes what the product at {at * 16:#x} may still read")
    return products, sentences


def machine_code(nvcc, root, source, *options):
    """The cubin of a source, and what the compiler said of it."""
    with tempfile.TemporaryDirectory() as folder:
        cubin = pathlib.Path(folder) / "cubin"
        ran = subprocess.run([nvcc, "-std=c++20", "-O3", "-I", root, "-gencode=arch=compute_90a,code=sm_90a", *options,
                              "-cubin", "-o", cubin, source], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if ran.returncode != 0:
            raise Unknown(f"{source} does not compile: {ran.stdout}")
        return cubin.read_bytes(), ran.stdout


def check(nvcc, root, source, *options):
    """How many products of a source read registers, and a sentence for each fault."""
    cubin, said = machine_code(nvcc, root, source, *options)
    waiting = re.findall(r"wgmma\S* instructions are serialized.*", said)
    products, sentences = faults(cubin)
    return products, waiting + sentences


def main(nvcc, root, sources):
    with concurrent.futures.ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda source: check(nvcc, root, source), sources))
    sentences = [sentence for _, each in found for sentence in each]
    for sentence in sentences:
        print(sentence)
    products = sum(count for count, _ in found)
    print(f"{products} products read an operand from registers; faults: {len(sentences)}.")
    if products == 0:
        print("That is none, so this program does not know them any more.")
    return 1 if sentences or products == 0 else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
    except Unknown as problem:
        sys.exit(f"check_products.py: {problem}")
