package org.cabrank.bench.load;

import java.util.SplittableRandom;

/** The connections of one worker in a run, and the pace at which they send. The active connections come before the idle connections. */
final class Lineup {

    private final LoadConnection[] connections;
    private final Requester[] active;
    private final IdleConnection[] idle;
    private final SendingPace pace;

    Lineup(LoadWorker worker, LoadTraffic traffic, int number, int workers) {
        int first = part(traffic.connections(), number, workers);
        int count = part(traffic.connections(), number + 1, workers) - first;
        int firstIdle = part(traffic.idleConnections(), number, workers);
        int idleCount = part(traffic.idleConnections(), number + 1, workers) - firstIdle;
        pace = pace(traffic, count, worker.tally().counters());
        connections = new LoadConnection[count + idleCount];
        active = new Requester[traffic.pattern().asks() ? count : 0];
        for (int i = 0; i < count; i++) {
            connections[i] = connection(worker, traffic, first + i, i);
            if (connections[i] instanceof Requester requester) {
                active[i] = requester;
            }
        }
        idle = new IdleConnection[idleCount];
        SendingPace unpaced = new Unpaced();
        for (int i = 0; i < idleCount; i++) {
            int index = traffic.connections() + firstIdle + i;
            idle[i] = new IdleConnection(worker, index, count + i, traffic.sizeBytes(), unpaced);
            connections[count + i] = idle[i];
        }
    }

    private static int part(int connections, int number, int workers) {
        return (int) ((long) connections * number / workers);
    }

    private LoadConnection connection(LoadWorker worker, LoadTraffic traffic, int index, int place) {
        int size = traffic.sizeBytes();
        return switch (traffic.pattern()) {
            case STREAMING -> new StreamingConnection(worker, index, place, size, traffic.depth());
            case RANDOM_CHUNKS -> new RandomChunkConnection(worker, index, place, new SplittableRandom(index));
            case CHURN -> new ChurnConnection(worker, index, place, size, pace);
            case PING_PONG ->
                traffic.http() == null
                        ? new RequestConnection(worker, index, place, size, traffic.depth(), pace)
                        : new HttpGetConnection(worker, index, place, traffic.http(), traffic.depth(), pace);
            case BURSTS -> new RequestConnection(worker, index, place, size, traffic.burstRequests(), pace);
        };
    }

    private static SendingPace pace(LoadTraffic traffic, int count, LoadCounters counters) {
        return switch (traffic.pattern()) {
            case STREAMING, RANDOM_CHUNKS -> new Unpaced();
            case BURSTS -> new Bursts(traffic.burstRequests(), traffic.burstIntervalNs(), counters);
            case PING_PONG, CHURN -> {
                double rate = traffic.ratePerSecond() * ((double) count / traffic.connections());
                yield traffic.ratePerSecond() == 0
                        ? new ClosedLoop()
                        : new FixedRate(new FifoSlots(count * traffic.depth()), rate, counters);
            }
        };
    }

    LoadConnection[] connections() {
        return connections;
    }

    Requester[] active() {
        return active;
    }

    IdleConnection[] idle() {
        return idle;
    }

    SendingPace pace() {
        return pace;
    }

    static final class Unpaced implements SendingPace {

        @Override
        public void begin(Requester[] active, long nowNs) {}

        @Override
        public void free(Requester requester, long nowNs) {}

        @Override
        public long sendDue(long nowNs) {
            return NEVER;
        }
    }

    static final class ClosedLoop implements SendingPace {

        @Override
        public void begin(Requester[] active, long nowNs) {
            for (Requester requester : active) {
                for (int room = requester.room(); room > 0; room--) {
                    requester.request(nowNs);
                }
                requester.flush();
            }
        }

        @Override
        public void free(Requester requester, long nowNs) {
            requester.request(nowNs);
        }

        @Override
        public long sendDue(long nowNs) {
            return NEVER;
        }
    }
}
