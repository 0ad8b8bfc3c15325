package org.cabrank.lf.dispatch;

/** A handle without a descriptor, named by a digit. */
final class RaceHandle extends HandleState {
    final int digit;

    RaceHandle(int digit) {
        super(false, 0);
        this.digit = digit;
    }

    @Override
    protected void callHandler(int ready) {}

    @Override
    protected void notifyClosed(Throwable cause) {}

    @Override
    protected void notifyNestedWait() {}

    @Override
    protected boolean isCalledLast() {
        return false;
    }

    @Override
    protected boolean hasDescriptor() {
        return false;
    }

    @Override
    protected Class<?> handlerClass() {
        return RaceHandle.class;
    }

    @Override
    public String toString() {
        return "handle " + digit;
    }
}
