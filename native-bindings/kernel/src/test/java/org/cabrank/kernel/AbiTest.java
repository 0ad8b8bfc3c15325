package org.cabrank.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AbiTest {

    @Test
    void bothNamesOfAnArchitectureAreKnown() {
        assertEquals(Abi.X86_64, Abi.of("amd64"));
        assertEquals(Abi.X86_64, Abi.of("x86_64"));
        assertEquals(Abi.AARCH64, Abi.of("aarch64"));
    }

    @Test
    void otherArchitecturesAreRefusedByName() {
        UnsupportedOperationException thrown =
                assertThrows(UnsupportedOperationException.class, () -> Abi.of("riscv64"));
        assertTrue(thrown.getMessage().contains("'riscv64'"), thrown.getMessage());
    }

    @Test
    void epollEventIsPackedOnX86Only() {
        assertEquals(12, EpollEvent.sizeBytes(Abi.X86_64));
        assertEquals(4, EpollEvent.dataOffset(Abi.X86_64));
        assertEquals(16, EpollEvent.sizeBytes(Abi.AARCH64));
        assertEquals(8, EpollEvent.dataOffset(Abi.AARCH64));
        assertEquals(EpollEvent.sizeBytes(Abi.current()), EpollEvent.SIZE_BYTES);
        assertEquals(EpollEvent.dataOffset(Abi.current()), EpollEvent.DATA_OFFSET);
    }
}
