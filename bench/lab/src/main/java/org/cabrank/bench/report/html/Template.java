package org.cabrank.bench.report.html;

import com.samskivert.mustache.Mustache;
import java.util.Map;

/** A Mustache template in a resource. A value that a template names and that is missing is an error. */
final class Template {
    private static final Mustache.Compiler COMPILER =
            Mustache.compiler().withEscaper(Html::text).emptyStringIsFalse(true);

    private final com.samskivert.mustache.Template compiled;

    private Template(String text) {
        this.compiled = COMPILER.compile(text);
    }

    /** The template in the resource {@code name}. */
    static Template named(String name) {
        return new Template(Asset.own(name));
    }

    String fill(Map<String, ?> values) {
        return compiled.execute(values);
    }
}
