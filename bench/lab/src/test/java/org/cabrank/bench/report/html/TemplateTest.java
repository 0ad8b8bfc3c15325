package org.cabrank.bench.report.html;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.samskivert.mustache.MustacheException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TemplateTest {

    @Test
    void everyPlaceholderOfAPageIsFilledAndTextIsEscaped() {
        Map<String, Object> values = new HashMap<>();
        for (String name : List.of("style", "version", "licence", "library", "data", "theme", "script")) {
            values.put(name, "");
        }
        values.put("title", "<b> & {{body}}");
        values.put("body", "<p>one</p>");
        String page = Template.named("page.html").fill(values);
        assertTrue(page.contains("<title>&lt;b&gt; &amp; {{body}}</title>"), "values are no templates: " + page);
        assertTrue(page.contains("<p>one</p>"), page);
    }

    @Test
    void aMissingValueIsAnError() {
        Template template = Template.named("page.html");
        assertThrows(MustacheException.class, () -> template.fill(Map.of("title", "")));
    }
}
