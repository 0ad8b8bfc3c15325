package org.cabrank.affinity;

import java.util.BitSet;
import java.util.Collection;
import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** An immutable set of CPU numbers, which may be empty. Its text has Linux's format {@code 0-3,8} (cpuset(7), "List format"). */
public final class CpuList {
    /** CPU numbers are less than this. No Linux kernel can be built for more CPUs. */
    public static final int CPUS_MAX = 8192;

    private static final Pattern PART = Pattern.compile("([0-9]+)(?:-([0-9]+))?");

    private static final Pattern MASK_WORD = Pattern.compile("[0-9a-fA-F]{1,8}");

    private final BitSet cpus;

    private CpuList(BitSet cpus) {
        this.cpus = cpus;
    }

    /** Returns the list of {@code cpus}, which may have any order and duplicates. */
    public static CpuList of(int... cpus) {
        BitSet set = new BitSet();
        for (int cpu : cpus) {
            if (cpu < 0 || cpu >= CPUS_MAX) {
                throw new IllegalArgumentException("CPU numbers go from 0 to " + (CPUS_MAX - 1) + ", not " + cpu);
            }
            set.set(cpu);
        }
        return new CpuList(set);
    }

    public static CpuList of(Collection<Integer> cpus) {
        return of(cpus.stream().mapToInt(Integer::intValue).toArray());
    }

    static CpuList of(BitSet cpus) {
        return new CpuList((BitSet) cpus.clone());
    }

    /**
     * Parses numbers and ranges with commas between them. Ignores spaces before and after the text.
     *
     * @throws IllegalArgumentException with a message that states the error and the expected format
     */
    public static CpuList parse(String text) {
        String list = text.strip();
        BitSet cpus = new BitSet();
        if (!list.isEmpty()) {
            for (String part : list.split(",", -1)) {
                add(part, list, cpus);
            }
        }
        return new CpuList(cpus);
    }

    private static void add(String part, String list, BitSet cpus) {
        if (part.isEmpty()) {
            throw wrong(list, "there is nothing between two commas, or at an end");
        }
        Matcher numbers = PART.matcher(part);
        if (!numbers.matches()) {
            throw wrong(list, "'" + part + "' is neither a CPU number nor a range of them");
        }
        int first = number(numbers.group(1), list);
        int last = numbers.group(2) == null ? first : number(numbers.group(2), list);
        if (first > last) {
            throw wrong(list, "the range '" + part + "' runs backwards");
        }
        cpus.set(first, last + 1);
    }

    private static int number(String digits, String list) {
        // Checks the length first, because a longer number may not fit an int.
        String significant = digits.replaceFirst("^0+(?=.)", "");
        if (significant.length() > 4 || Integer.parseInt(significant) >= CPUS_MAX) {
            throw wrong(list, "there is no CPU " + digits + ": the numbers go from 0 to " + (CPUS_MAX - 1));
        }
        return Integer.parseInt(significant);
    }

    private static IllegalArgumentException wrong(String list, String what) {
        return new IllegalArgumentException("CPU list '" + list + "': " + what + "; right would be 0-3,8 for instance");
    }

    /**
     * Parses the mask format (cpuset(7), "Mask format"), as in {@code 00000001,ffffffff}: hexadecimal words of 32 bits with commas between
     * them. The first word has the highest bits. Ignores spaces before and after the text.
     *
     * @throws IllegalArgumentException with a message that states the error and the expected format
     */
    public static CpuList parseMask(String text) {
        String mask = text.strip();
        BitSet cpus = new BitSet();
        String[] words = mask.split(",", -1);
        for (int i = 0; i < words.length; i++) {
            String word = words[words.length - 1 - i];
            if (!MASK_WORD.matcher(word).matches()) {
                throw new IllegalArgumentException("CPU mask '" + mask + "': '" + word
                        + "' is no word of up to 8 hexadecimal digits; right would be 00000001,ffffffff for instance");
            }
            BitSet bits = BitSet.valueOf(new long[] {Long.parseLong(word, 16)});
            int base = i * Integer.SIZE;
            bits.stream().forEach(bit -> cpus.set(base + bit));
        }
        if (cpus.length() > CPUS_MAX) {
            throw new IllegalArgumentException("CPU mask '" + mask + "': CPU numbers go from 0 to " + (CPUS_MAX - 1)
                    + ", not " + (cpus.length() - 1));
        }
        return new CpuList(cpus);
    }

    public IntStream cpus() {
        return cpus.stream();
    }

    public int size() {
        return cpus.cardinality();
    }

    public boolean isEmpty() {
        return cpus.isEmpty();
    }

    public boolean contains(int cpu) {
        return cpu >= 0 && cpus.get(cpu);
    }

    public boolean containsAll(CpuList other) {
        return other.without(this).isEmpty();
    }

    public CpuList without(CpuList other) {
        BitSet rest = (BitSet) cpus.clone();
        rest.andNot(other.cpus);
        return new CpuList(rest);
    }

    public CpuList intersection(CpuList other) {
        BitSet both = (BitSet) cpus.clone();
        both.and(other.cpus);
        return new CpuList(both);
    }

    public CpuList union(CpuList other) {
        BitSet either = (BitSet) cpus.clone();
        either.or(other.cpus);
        return new CpuList(either);
    }

    public CpuList filter(IntPredicate wanted) {
        return of(cpus().filter(wanted).toArray());
    }

    /** The kernel's mask, with one bit for each CPU. The lowest bit of the first byte is CPU 0. */
    byte[] mask() {
        return cpus.toByteArray();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CpuList && cpus.equals(((CpuList) other).cpus);
    }

    @Override
    public int hashCode() {
        return cpus.hashCode();
    }

    /** The text of this list, or {@code 0,2,4,... (1,024 in all)} if it has more than {@code charactersMax} characters. */
    public String brief(int charactersMax) {
        String all = toString();
        if (all.length() <= charactersMax) {
            return all;
        }
        String end = String.format(Locale.ROOT, "... (%,d in all)", size());
        int comma = all.lastIndexOf(',', Math.max(0, charactersMax - end.length()));
        return all.substring(0, (comma < 0 ? all.indexOf(',') : comma) + 1) + end;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int first = cpus.nextSetBit(0); first >= 0; ) {
            int end = cpus.nextClearBit(first);
            text.append(text.length() == 0 ? "" : ",").append(first);
            if (end - 1 > first) {
                text.append('-').append(end - 1);
            }
            first = cpus.nextSetBit(end);
        }
        return text.toString();
    }
}
