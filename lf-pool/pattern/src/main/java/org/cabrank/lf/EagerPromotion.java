package org.cabrank.lf;

record EagerPromotion() implements Promotion {
    @Override
    public String label() {
        return "eager";
    }

    @Override
    public String description() {
        return "before each event is processed";
    }

    @Override
    public String toString() {
        return "eager";
    }
}
