package org.cabrank.lf.dispatch;

/** A handle that has a name and nothing to watch. */
final class NamedHandle extends HandleState {
    private final String name;

    NamedHandle(String name) {
        super(false, 0);
        this.name = name;
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
        return NamedHandle.class;
    }

    @Override
    public String toString() {
        return name;
    }
}
