package org.cabrank.bench.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.cabrank.bench.text.Colours;
import org.cabrank.bench.text.StandardStream;

/** Finds a terminal to draw on, and its capabilities. */
final class TerminalChoice {
    private static final System.Logger LOGGER = System.getLogger(TerminalChoice.class.getName());
    private static final String[] LOCALES = {"LC_ALL", "LC_CTYPE", "LANG"};

    private TerminalChoice() {}

    /** Standard output, where it is a terminal that can be drawn on; nothing: lines it is. */
    static Optional<Path> terminal() {
        return drawable(System.getenv("TERM")) && inForeground() ? StandardStream.OUTPUT.terminal() : Optional.empty();
    }

    static boolean drawable(String term) {
        return term != null && !term.isEmpty() && !term.equals("dumb");
    }

    /** A job in the background would be stopped as soon as it read a key. */
    private static boolean inForeground() {
        try {
            return inForeground(Files.readString(Path.of("/proc/self/stat")));
        } catch (IOException unknown) {
            LOGGER.log(System.Logger.Level.DEBUG, "it is not known whose the terminal is", unknown);
            return false;
        }
    }

    /** @param stat proc_pid_stat(5): state ppid pgrp session tty_nr tpgid, behind the name in parentheses */
    static boolean inForeground(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        int group = Integer.parseInt(fields[2]);
        int foreground = Integer.parseInt(fields[5]);
        return foreground == group || foreground == -1; // -1: no controlling terminal, and so no jobs
    }

    static TerminalPalette palette() {
        return new TerminalPalette(Colours.ofStandardOutput(), takesUtf8(System.getenv()));
    }

    /** The first that is set decides (POSIX, 8.2). */
    static boolean takesUtf8(Map<String, String> environment) {
        for (String name : LOCALES) {
            String locale = environment.getOrDefault(name, "");
            if (!locale.isEmpty()) {
                String encoding = locale.toUpperCase(Locale.ROOT);
                return encoding.contains("UTF-8") || encoding.contains("UTF8");
            }
        }
        return false;
    }
}
