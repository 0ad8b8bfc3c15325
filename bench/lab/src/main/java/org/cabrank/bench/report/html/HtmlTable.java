package org.cabrank.bench.report.html;

import java.util.ArrayList;
import java.util.List;

final class HtmlTable {

    private final String caption;
    private final List<String> header;
    private final int wordColumns;
    private final StringBuilder rows = new StringBuilder();

    /** {@code caption} is for screen readers. {@code wordColumns} is the number of leading columns that contain text. */
    HtmlTable(String caption, int wordColumns, List<String> header) {
        this.caption = caption;
        this.wordColumns = wordColumns;
        this.header = List.copyOf(header);
    }

    void row(List<String> cells) {
        if (cells.size() != header.size()) {
            throw new IllegalArgumentException(cells.size() + " cells for " + header.size() + " columns");
        }
        rows.append("<tr>");
        for (int column = 0; column < cells.size(); column++) {
            String tag = column == 0 ? "th scope=\"row\"" : column < wordColumns ? "td" : "td class=\"n\"";
            rows.append('<').append(tag).append('>').append(Html.text(cells.get(column)));
            rows.append(column == 0 ? "</th>" : "</td>");
        }
        rows.append("</tr>\n");
    }

    String render() {
        List<String> heads = new ArrayList<>();
        for (int column = 0; column < header.size(); column++) {
            heads.add((column < wordColumns ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"n\">")
                    + Html.text(header.get(column)) + "</th>");
        }
        return "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + Html.text(caption)
                + "\"><table><caption>" + Html.text(caption) + "</caption>\n<thead><tr>" + String.join("", heads)
                + "</tr></thead>\n<tbody>\n" + rows + "</tbody></table></div>\n";
    }
}
