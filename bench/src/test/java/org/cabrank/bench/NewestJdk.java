package org.cabrank.bench;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks a class that takes many seconds and depends little on the JVM and on the kernel binding. {@code scripts/test} runs it on the
 * newest JDK, and on JDK 17 only in a soak or where no newer JDK is found.
 */
@Tag("newest")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface NewestJdk {}
