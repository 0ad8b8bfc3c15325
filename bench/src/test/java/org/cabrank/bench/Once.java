package org.cabrank.bench;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * What such a class tests is the same whatever the JVM and however it calls the kernel, and takes seconds: where {@code
 * scripts/test} has run it on the newest JDK, it does not on 17.
 */
@Tag("once")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Once {}
