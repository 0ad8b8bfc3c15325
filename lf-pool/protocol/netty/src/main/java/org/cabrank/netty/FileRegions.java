package org.cabrank.netty;

import io.netty.channel.DefaultFileRegion;
import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.channels.FileChannel;

/**
 * Descriptors of file regions, for sendfile(2). Netty and the JDK hide these descriptors. They are available only if Netty is on the class
 * path and the JVM opens the package ({@code --add-opens java.base/sun.nio.ch=ALL-UNNAMED}), as for Netty's own transports.
 */
final class FileRegions {
    static final int UNKNOWN = -1;

    private static final FileRegions ACCESS = find();

    private final Field channelOfRegion;
    private final Field transferred;
    private final Field fdOfChannel;
    private final Method number;

    private FileRegions(Field channelOfRegion, Field transferred, Field fdOfChannel, Method number) {
        this.channelOfRegion = channelOfRegion;
        this.transferred = transferred;
        this.fdOfChannel = fdOfChannel;
        this.number = number;
    }

    private static FileRegions find() {
        try {
            Field file = DefaultFileRegion.class.getDeclaredField("file");
            Field transferred = DefaultFileRegion.class.getDeclaredField("transferred");
            Field fd = Class.forName("sun.nio.ch.FileChannelImpl").getDeclaredField("fd");
            Method fdVal = Class.forName("sun.nio.ch.IOUtil").getDeclaredMethod("fdVal", FileDescriptor.class);
            file.setAccessible(true);
            transferred.setAccessible(true);
            fd.setAccessible(true);
            fdVal.setAccessible(true);
            return new FileRegions(file, transferred, fd, fdVal);
        } catch (ReflectiveOperationException | RuntimeException closed) { // the file is read into memory instead
            return null;
        }
    }

    /** Opens the region's file. Returns its descriptor, or {@link #UNKNOWN} if the descriptor is unavailable. */
    static int descriptor(DefaultFileRegion region) throws IOException {
        region.open();
        if (ACCESS == null) {
            return UNKNOWN;
        }
        try {
            FileChannel channel = (FileChannel) ACCESS.channelOfRegion.get(region);
            return ACCESS.fdOfChannel.getDeclaringClass().isInstance(channel)
                    ? (Integer) ACCESS.number.invoke(null, ACCESS.fdOfChannel.get(channel))
                    : UNKNOWN;
        } catch (ReflectiveOperationException refused) {
            return UNKNOWN;
        }
    }

    /** Notes that bytes of a region with a known descriptor were sent. */
    static void sent(DefaultFileRegion region, long count) {
        try {
            ACCESS.transferred.setLong(region, region.transferred() + count);
        } catch (IllegalAccessException e) {
            throw new AssertionError("the field was made accessible", e);
        }
    }
}
