package org.cabrank.bench.report.html;

import com.samskivert.mustache.Mustache;
import java.util.Map;

/** A Mustache template in a resource. Filling it fails if one of its values is missing. */
final class Template {
    private static final Mustache.Compiler COMPILER =
            Mustache.compiler().withEscaper(Html::text).emptyStringIsFalse(true);

    private final com.samskivert.mustache.Template compiled;

    private Template(String text) {
        this.compiled = COMPILER.compile(text);
    }

    static Template named(String name) {
        return new Template(Asset.own(name));
    }

    String fill(Map<String, ?> values) {
        return compiled.execute(values);
    }
}
