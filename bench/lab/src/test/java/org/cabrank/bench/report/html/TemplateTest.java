package org.cabrank.bench.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.samskivert.mustache.MustacheException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TemplateTest {

    @Test
    void everyPlaceholderOfAPageIsFilledAndTextIsEscaped() {
        String page = Template.named("compare.html")
                .fill(Map.of(
                        "before", "<b>",
                        "after", "now",
                        "conclusion", "{{before}}",
                        "differ", true,
                        "differences", List.of("one", "two & three"),
                        "scale", "wide",
                        "table", "<table></table>"));
        assertTrue(page.contains("&lt;b&gt; before, now after"), page);
        assertTrue(page.contains("<h2>{{before}}</h2>"), "values are no templates: " + page);
        assertTrue(page.contains("<ul><li>one</li><li>two &amp; three</li></ul>"), page);
        assertTrue(page.contains("<table></table>"), page);
    }

    @Test
    void emptySectionsAreLeftOut() {
        String page = Template.named("compare.html")
                .fill(Map.of("before", "", "after", "", "conclusion", "", "differ", false, "scale", "", "table", ""));
        assertEquals(-1, page.indexOf("id=\"differences\""), page);
    }

    @Test
    void aMissingValueIsAnError() {
        Template template = Template.named("compare.html");
        assertThrows(MustacheException.class, () -> template.fill(Map.of("before", "", "differ", false)));
    }
}
