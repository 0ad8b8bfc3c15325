package org.cabrank.lf;

import org.cabrank.lf.leadership.Parking;

final class RaceParking implements Parking {
    final Sleep sleep = new Sleep();
    volatile int unparks;

    @Override
    public long nanoTime() {
        return 0;
    }

    @Override
    public void park(Object blocker, long nanos) {
        sleep.sleep();
    }

    @Override
    public void unpark(Thread thread) {
        unparks++; // only one thread in each race does this
        sleep.wake();
    }
}
