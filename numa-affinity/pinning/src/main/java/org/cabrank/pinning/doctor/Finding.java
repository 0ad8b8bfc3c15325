package org.cabrank.pinning.doctor;

/**
 * Result of one check.
 *
 * @param id stable identifier for programs
 * @param subject the checked property, in one or two words
 * @param finding the observed state
 * @param effect consequence for the latency of a service. Empty if the severity is OK or UNKNOWN
 * @param remedy command or setting that improves the state. Empty if there is nothing to do
 */
public record Finding(String id, Severity severity, String subject, String finding, String effect, String remedy) {}
