package org.cabrank.stream.contract.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Calls of the callbacks of a connection, and the steps of its peer and of another thread. As text: {@code DATA: WRITE @CLOSE | PAUSE;
 * steps: SEND SEND RESUME} has the first message answered with a write, and then with a close that another thread calls while the callback
 * waits for that thread. The second message pauses reading; resume is called from outside.
 *
 * @param calls for each kind of callback the calls of the first, the second, … of that kind. For {@link Callback#DATA} of the first, the
 *     second, … message
 * @param steps each begins when nothing is due after the step before
 */
record Program(Map<Callback, List<List<Act>>> calls, List<Op> steps) {
    private static final String STEPS = "steps";

    /** A call, made by the callback or by another thread while the callback waits for the return of the call. */
    record Act(Op op, boolean elsewhere) {
        static Act of(String text) {
            boolean elsewhere = text.startsWith("@");
            return new Act(Op.valueOf(elsewhere ? text.substring(1) : text), elsewhere);
        }

        @Override
        public String toString() {
            return (elsewhere ? "@" : "") + op;
        }
    }

    /** Returns what the {@code number}th callback of a kind calls, from 0; null: no more than it must. */
    List<Act> calls(Callback callback, int number) {
        List<List<Act>> all = calls.getOrDefault(callback, List.of());
        return number < all.size() ? all.get(number) : null;
    }

    static Program parse(String text) {
        Map<Callback, List<List<Act>>> calls = new EnumMap<>(Callback.class);
        List<Op> steps = new ArrayList<>();
        for (String part : text.split(";")) {
            String[] named = part.strip().split(":", 2);
            if (named[0].equals(STEPS)) {
                words(named[1]).forEach(word -> steps.add(Op.valueOf(word)));
            } else {
                List<List<Act>> lists = new ArrayList<>();
                for (String list : named[1].split("\\|", -1)) {
                    lists.add(words(list).stream().map(Act::of).toList());
                }
                calls.put(Callback.valueOf(named[0]), lists);
            }
        }
        return new Program(calls, steps);
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.split(" ")).filter(word -> !word.isEmpty()).toList();
    }

    private static String text(List<?> words) {
        return words.stream().map(Object::toString).collect(Collectors.joining(" "));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        calls.forEach((callback, lists) -> text.append(callback)
                .append(": ")
                .append(lists.stream().map(Program::text).collect(Collectors.joining(" | ")))
                .append("; "));
        return text.append(STEPS).append(": ").append(text(steps)).toString();
    }
}
