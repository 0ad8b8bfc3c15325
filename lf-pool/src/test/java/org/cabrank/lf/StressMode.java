package org.cabrank.lf;

/** @param visitors threads join with short time-outs, again and again, instead of being started by the pool */
record StressMode(Promotion promotion, Deactivation deactivation, int threads, Waiting waiting, boolean visitors) {}
