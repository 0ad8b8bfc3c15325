package org.cabrank.bench;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test class whose result depends neither on the JVM nor on the kernel binding, and that takes seconds.
 * {@code scripts/test} runs it on the newest JDK only, not on 17.
 */
@Tag("once")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Once {}
