package org.cabrank.pinning.doctor;

/**
 * Result of one check.
 *
 * @param id stable identifier for programs
 * @param subject the checked property, in one or two words
 * @param finding the observed state
 * @param effect consequence for the latency of a service; empty if the severity is ok or unknown
 * @param remedy command or setting that improves the state; empty if there is nothing to do
 */
public record Finding(String id, Severity severity, String subject, String finding, String effect, String remedy) {}
