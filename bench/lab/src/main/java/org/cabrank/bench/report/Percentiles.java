package org.cabrank.bench.report;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Latencies of all successful runs of a cell. {@code histogram} has values in ns, compressed by HdrHistogram and encoded as base64. */
public record Percentiles(double p50Us, double p99Us, double p999Us, double maxUs, String histogram) {

    static Percentiles merged(List<String> histograms) {
        Histogram all = null;
        for (String text : histograms) {
            if (!text.isEmpty()) {
                Histogram one = decode(text);
                if (all == null) {
                    all = one;
                    all.setAutoResize(true);
                } else {
                    all.add(one);
                }
            }
        }
        return all == null
                ? null
                : new Percentiles(us(all, 50), us(all, 99), us(all, 99.9), all.getMaxValue() / 1e3, encode(all));
    }

    public static Histogram decode(String text) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        } catch (DataFormatException | RuntimeException wrong) {
            throw new IllegalArgumentException("a histogram of latencies cannot be read: " + wrong.getMessage(), wrong);
        }
    }

    private static String encode(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        byte[] bytes = new byte[length];
        buffer.flip();
        buffer.get(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static double us(Histogram histogram, double percentile) {
        return histogram.getValueAtPercentile(percentile) / 1e3;
    }
}
