package org.cabrank.stream.contract.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.cabrank.stream.contract.model.Program.Act;

/** Makes programs: random ones of a seed, and one for each pair of callback and call. */
final class ProgramGenerator {
    private static final int LISTS_MAX = 2;
    private static final int CALLS_MAX = 4;
    private static final int STEPS_MAX = 8;

    /** Calls that end a connection are rarer by this factor, so that programs go on. */
    private static final int RARER = 6;

    /** One in so many programs begins with a full send buffer. */
    private static final int FULL_AT_FIRST = 4;

    /** One in so many calls of a callback is made by another thread meanwhile. */
    private static final int ELSEWHERE = 4;

    private static final List<Op> CALLS =
            Arrays.stream(Op.values()).filter(Op::isCall).toList();
    private static final List<Op> STEPS =
            List.of(Op.SEND, Op.SEND, Op.SEND, Op.SEND_SLOWLY, Op.HALF_CLOSE, Op.RESET, Op.STOP_READING, Op.READ_ON);
    private static final List<Op> ANSWERS = List.of(Op.WORK_DONE, Op.REPLY, Op.REPLY_FIRST);

    private final SplittableRandom random;

    ProgramGenerator(long seed) {
        random = new SplittableRandom(seed);
    }

    Program next() {
        Map<Callback, List<List<Act>>> calls = new EnumMap<>(Callback.class);
        for (Callback callback : Callback.values()) {
            List<List<Act>> lists = new ArrayList<>();
            int count = random.nextInt(callback == Callback.DATA ? 2 * LISTS_MAX + 1 : LISTS_MAX + 1);
            for (int i = 0; i < count; i++) {
                List<Act> list = new ArrayList<>();
                for (int left = random.nextInt(CALLS_MAX + 1); left > 0; left--) {
                    Op op = one(CALLS);
                    list.add(new Act(op, op.mayBeElsewhere() && random.nextInt(ELSEWHERE) == 0));
                }
                lists.add(list);
            }
            if (!lists.isEmpty()) {
                calls.put(callback, lists);
            }
        }
        List<Op> steps = new ArrayList<>();
        if (random.nextInt(FULL_AT_FIRST) == 0) {
            steps.addAll(List.of(Op.STOP_READING, Op.FLOOD));
        }
        for (int left = 1 + random.nextInt(STEPS_MAX); left > 0; left--) {
            steps.add(
                    switch (random.nextInt(3)) {
                        case 0 -> one(CALLS.stream().filter(Op::mayBeElsewhere).toList());
                        case 1 -> one(ANSWERS);
                        default -> one(STEPS);
                    });
        }
        if (random.nextInt(RARER) == 0) {
            steps.add(Op.DRAIN);
        }
        return new Program(calls, steps);
    }

    private Op one(List<Op> ops) {
        Op op = ops.get(random.nextInt(ops.size()));
        boolean ends = op == Op.CLOSE || op == Op.ABORT || op == Op.THROW || op == Op.RESET;
        return ends && random.nextInt(RARER) != 0 ? one(ops) : op;
    }

    /**
     * Every kind of callback with every call, once by the callback and once by another thread, before and behind a write with a
     * completion, and behind a full send buffer.
     *
     * @param withMail also calls behind what another thread has asked for during the callback
     */
    static List<Program> pairs(boolean withMail) {
        List<Program> pairs = new ArrayList<>();
        for (Callback callback : Callback.values()) {
            for (Op op : CALLS) {
                pairs.addAll(byTheCallback(callback, op, withMail));
                pairs.addAll(byAnotherThread(callback, op, withMail));
            }
        }
        return pairs;
    }

    /** Of {@link #pairs} one program for each pair and each thread that makes the call; each {@code turn} takes others. */
    static List<Program> fewPairs(boolean withMail, int turn) {
        List<Program> pairs = new ArrayList<>();
        int next = turn;
        for (Callback callback : Callback.values()) {
            for (Op op : CALLS) {
                for (List<Program> all :
                        List.of(byTheCallback(callback, op, withMail), byAnotherThread(callback, op, withMail))) {
                    if (!all.isEmpty()) {
                        pairs.add(all.get(next % all.size()));
                    }
                }
                next++;
            }
            next++; // the number of calls may divide by that of programs
        }
        return pairs;
    }

    private static List<Program> byTheCallback(Callback callback, Op op, boolean withMail) {
        List<Program> programs = new ArrayList<>();
        for (String list : List.of("WRITE WHEN_WRITTEN %s WRITE", "%s", "PAUSE %s RESUME WRITE")) {
            programs.add(Program.parse(leadingTo(callback, String.format(list, op))));
        }
        programs.add(full(Program.parse(leadingTo(callback, "FLOOD ASK " + op + " WRITE WHEN_WRITTEN"))));
        if (withMail && op.mayBeElsewhere()) {
            programs.add(Program.parse(leadingTo(callback, "@EXECUTE @WRITE " + op + " WRITE")));
        }
        return programs;
    }

    private static List<Program> byAnotherThread(Callback callback, Op op, boolean withMail) {
        List<Program> programs = new ArrayList<>();
        if (op.mayBeElsewhere()) {
            programs.add(Program.parse(leadingTo(callback, "@" + op)));
            if (withMail) {
                programs.add(Program.parse(leadingTo(callback, "WRITE WHEN_WRITTEN @" + op + " WRITE")));
            }
        }
        return programs;
    }

    /** The program with a peer that does not read at first. */
    private static Program full(Program program) {
        List<Op> steps = new ArrayList<>(program.steps());
        steps.add(0, Op.STOP_READING);
        return new Program(program.calls(), steps);
    }

    /** A program whose first callback of the kind makes the calls. */
    private static String leadingTo(Callback callback, String list) {
        String own = callback + ": " + list + "; ";
        String others = "TASK: WRITE; COMPLETION: WRITE; CONTINUATION: WRITE; TIMER: WRITE; "
                .replaceAll(callback + ": \\w+; ", "");
        String steps = " SEND READ_ON WORK_DONE REPLY RESUME SEND HALF_CLOSE";
        return own
                + others
                + switch (callback) {
                    case OPENED, DATA -> "steps:";
                    case TASK -> "steps: EXECUTE";
                    case TIMER -> "steps: TIMER";
                    case COMPLETION -> "DATA: WRITE WHEN_WRITTEN; steps:";
                    case CONTINUATION -> "DATA: OFFLOAD; steps:";
                    case INPUT_CLOSED -> "steps: SEND HALF_CLOSE";
                    case DEADLINE_PASSED -> "steps: DEADLINE";
                    case DRAINING -> "steps: SEND DRAIN";
                    case WRITABLE -> "steps: STOP_READING FLOOD READ_ON";
                    case CLOSED -> "steps: CLOSE";
                }
                + (callback == Callback.DRAINING ? "" : steps);
    }
}
