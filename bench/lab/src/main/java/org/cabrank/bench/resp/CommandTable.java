package org.cabrank.bench.resp;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.cabrank.resp.RespCommand;

/** The commands of the service by their names. A name has at most {@value RespCommand#WORD_BYTES_MAX} characters. */
final class CommandTable {
    /** All commands, in the order of their groups. */
    static final List<StoredCommand> ALL = Stream.of(
                    StringCommands.ALL, KeyCommands.ALL, ConnectionCommands.ALL, ServerCommands.ALL)
            .flatMap(List::stream)
            .toList();

    private static final int SLOTS = 256;
    private static final long SPREADING = 0x9E3779B97F4A7C15L;
    private static final int SHIFT = Long.SIZE - 8;

    private static final long[] WORDS = new long[SLOTS];
    private static final StoredCommand[] COMMANDS = new StoredCommand[SLOTS];

    static {
        for (StoredCommand command : ALL) {
            long word = RespCommand.word(command.name());
            int slot = slot(word);
            WORDS[slot] = word;
            COMMANDS[slot] = command;
        }
    }

    private CommandTable() {}

    /** Returns the command that an argument names, or null. */
    static StoredCommand named(RespCommand command, int index) {
        long word = command.word(index);
        return word == 0 ? null : COMMANDS[slot(word)];
    }

    /** Returns the command of a name, or null. */
    static StoredCommand named(String name) {
        return ALL.stream()
                .filter(command -> command.name().equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElse(null);
    }

    /** Returns the slot of a word, or the free one where the word would be. */
    private static int slot(long word) {
        int slot = (int) (word * SPREADING >>> SHIFT);
        while (WORDS[slot] != 0 && WORDS[slot] != word) {
            slot = slot + 1 & SLOTS - 1;
        }
        return slot;
    }
}
