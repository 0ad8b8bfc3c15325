package org.cabrank.stream.contract.model;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.cabrank.stream.contract.model.Program.Act;

/** Makes a program that fails smaller while the program still fails. */
final class Shrinker {
    /** Named bound: attempts, each of which may wait for what does not happen. */
    private static final int ATTEMPTS_MAX = 150;

    private final Predicate<Program> fails;
    private int attempts;

    Shrinker(Predicate<Program> fails) {
        this.fails = fails;
    }

    Program shrink(Program failing) {
        Program smallest = failing;
        boolean smaller = true;
        while (smaller && attempts < ATTEMPTS_MAX) {
            smaller = false;
            for (Program candidate : withoutOne(smallest)) {
                attempts++;
                if (fails.test(candidate)) {
                    smallest = candidate;
                    smaller = true;
                    break;
                }
                if (attempts >= ATTEMPTS_MAX) {
                    break;
                }
            }
        }
        return smallest;
    }

    /** First without all calls of a kind of callback, then without a list, then without a step or a call. */
    private static List<Program> withoutOne(Program program) {
        List<Program> candidates = new ArrayList<>();
        for (Callback callback : program.calls().keySet()) {
            candidates.add(with(program, callback, null));
        }
        for (int i = 0; i < program.steps().size(); i++) {
            candidates.add(new Program(program.calls(), without(program.steps(), i)));
        }
        program.calls().forEach((callback, lists) -> {
            for (int i = 0; i < lists.size(); i++) {
                if (lists.size() > 1) {
                    candidates.add(with(program, callback, without(lists, i)));
                }
                for (int j = 0; j < lists.get(i).size(); j++) {
                    List<List<Act>> fewer = new ArrayList<>(lists);
                    fewer.set(i, without(lists.get(i), j));
                    candidates.add(with(program, callback, fewer));
                }
            }
        });
        return candidates;
    }

    private static Program with(Program program, Callback callback, List<List<Act>> lists) {
        Map<Callback, List<List<Act>>> calls = new EnumMap<>(Callback.class);
        calls.putAll(program.calls());
        if (lists == null) {
            calls.remove(callback);
        } else {
            calls.put(callback, lists);
        }
        return new Program(calls, program.steps());
    }

    private static <T> List<T> without(List<T> list, int index) {
        List<T> fewer = new ArrayList<>(list);
        fewer.remove(index);
        return fewer;
    }
}
