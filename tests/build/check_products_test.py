#!/usr/bin/env python3
"""check_products.py finds planted faults: products that wait, and registers that are written too soon."""

import os
import pathlib
import struct
import unittest

import check_products as checker

HERE = pathlib.Path(__file__).parent
NVCC, ROOT = os.environ["PLANTED_NVCC"], str(HERE.parent.parent)
SOURCE = HERE / "planted_products.cu"


class CheckProducts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cubin, _ = checker.machine_code(NVCC, ROOT, SOURCE)

    def test_products_that_keep_what_they_read_pass(self):
        products, sentences = checker.check(NVCC, ROOT, SOURCE)
        self.assertGreater(products, 1)
        self.assertEqual(sentences, [])

    def test_products_that_wait_are_found(self):
        _, sentences = checker.check(NVCC, ROOT, SOURCE, "-DPLANTED_WAIT")
        self.assertEqual(len(sentences), 1)
        self.assertIn("serialized", sentences[0])

    def test_what_the_assembler_makes_of_registers_that_are_written_too_soon_is_found(self):
        _, sentences = checker.check(NVCC, ROOT, SOURCE, "-DPLANTED_OVERWRITE")
        self.assertNotEqual(sentences, [])

    def test_a_register_that_is_written_too_soon_is_found(self):
        """As ptxas would have it: a load on the way to the wait gets a register that the product reads."""
        planted = 0
        for _, code in checker.code_of(self.cubin):
            for product, its in enumerate(code):
                if its.full != checker.PRODUCT_OF_REGISTERS:
                    continue
                for at in range(product + 1, len(code)):
                    if code[at].awaited() is not None:
                        break
                    if code[at].number not in checker.LOADS:
                        continue
                    for register in range(its.first, its.first + 4):
                        low = code[at].low & ~(0xFF << 16) | register << 16
                        cubin = self.replaced(code[at], struct.pack("<QQ", low, code[at].high))
                        _, sentences = checker.faults(cubin)
                        self.assertTrue(any(f"the instruction at {at * 16:#x} writes what the product at {product * 16:#x} "
                                            in each for each in sentences), sentences)
                        planted += 1
        self.assertGreater(planted, 3)

    def test_a_wait_for_too_few_groups_is_found(self):
        """Waits that leave two groups pending end no product's reading before the loop writes its registers."""
        cubin = self.cubin
        for _, code in checker.code_of(cubin):
            for its in code:
                if its.awaited() == 1:
                    cubin = cubin.replace(struct.pack("<QQ", its.low, its.high),
                                          struct.pack("<QQ", its.low, its.high + (1 << 8)))
        self.assertNotEqual(cubin, self.cubin)
        _, sentences = checker.faults(cubin)
        self.assertNotEqual(sentences, [])

    def test_an_unknown_instruction_is_named(self):
        for _, code in checker.code_of(self.cubin):
            product = next(at for at, its in enumerate(code) if its.full == checker.PRODUCT_OF_REGISTERS)
            after = code[product + 1]
            cubin = self.replaced(after, struct.pack("<QQ", after.low & ~0xFFF | 0x3FF, after.high))
            with self.assertRaisesRegex(checker.Unknown, "0x3ff"):
                checker.faults(cubin)

    def replaced(self, instruction, word):
        old = struct.pack("<QQ", instruction.low, instruction.high)
        at = self.cubin.index(old)
        return self.cubin[:at] + word + self.cubin[at + 16:]


if __name__ == "__main__":
    unittest.main()
