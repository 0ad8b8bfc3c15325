package org.cabrank.affinity.files;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.affinity.CpuList;

/** Notes about missing or malformed files and the assumptions that replace them. Merges equal notes for several CPUs. Not thread-safe. */
public final class Notes {
    private static final Pattern NUMBERED = Pattern.compile("(?<=/)(cpu|node)(\\d{1,4})(?=/|$)");

    private final Map<Subject, Note> notes = new LinkedHashMap<>();

    public void add(String words) {
        notes.putIfAbsent(new Subject("", "", "", words), new Note("", CpuList.of()));
    }

    public void add(String path, String words) {
        add(path, words, "");
    }

    /** @param example text appended to the note; merged notes keep the example of the first CPU */
    void add(String path, String words, String example) {
        Matcher numbered = NUMBERED.matcher(path);
        if (numbered.find() && Integer.parseInt(numbered.group(2)) < CpuList.CPUS_MAX) {
            String before = path.substring(0, numbered.start()) + numbered.group(1);
            CpuList number = CpuList.of(Integer.parseInt(numbered.group(2)));
            notes.merge(
                    new Subject(before, "*", path.substring(numbered.end()), words),
                    new Note(example, number),
                    (old, more) -> new Note(old.example, old.numbers.union(more.numbers)));
        } else {
            notes.putIfAbsent(new Subject(path, "", "", words), new Note(example, CpuList.of()));
        }
    }

    /** Returns one line for each note. A merged note is in the place of the first. */
    public List<String> list() {
        List<String> lines = new ArrayList<>();
        notes.forEach((subject, note) -> lines.add(FileTree.printable(subject.with(note.numbers) + note.example)));
        return lines;
    }

    private record Subject(String before, String number, String after, String words) {
        String with(CpuList numbers) {
            return before.isEmpty()
                    ? words
                    : before + (number.isEmpty() ? "" : numbers.size() == 1 ? numbers : "{" + numbers + "}") + after
                            + " " + words;
        }
    }

    private record Note(String example, CpuList numbers) {}
}
