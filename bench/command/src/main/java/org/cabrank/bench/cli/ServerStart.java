package org.cabrank.bench.cli;

import java.io.IOException;
import java.net.UnknownHostException;
import org.cabrank.bench.text.Durations;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.KernelException;
import org.cabrank.pinning.PlacementRefusedException;
import org.cabrank.stream.ReactorFailedException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Converts failures of a start to error messages of the command line. */
final class ServerStart {
    private static final String REMEDY = "; restart the server, and see its log if the failure returns";

    private ServerStart() {}

    @FunctionalInterface
    interface Attempt<T> {
        T start() throws IOException;
    }

    static <T> T started(CommandSpec command, ListenTarget listen, Attempt<T> attempt) {
        try {
            return attempt.start();
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command.commandLine(), Durations.replaceIso(wrong.getMessage()), wrong);
        } catch (UnknownHostException unknown) {
            throw new Failure(
                    "the host '" + listen.address().host() + "' is not known: check its spelling or give an address");
        } catch (IOException refused) {
            throw refused.getCause() instanceof ReactorFailedException failed
                    ? failure(failed)
                    : new Failure(refused.getMessage() + remedy(refused), refused);
        } catch (IllegalStateException
                | PlacementRefusedException notStarted) { // thrown by a pool's thread, or by the maker of a shard
            throw notStarted.getCause() instanceof KernelException
                    ? new Failure(notStarted.getMessage() + REMEDY, notStarted)
                    : CommandMachine.refusedPlacement(notStarted);
        }
    }

    private static String remedy(IOException refused) {
        return refused instanceof KernelException kernel && kernel.errno() == Errno.EMFILE
                ? "; raise the limit of open files (ulimit -n)"
                : "";
    }

    static Failure failure(ReactorFailedException failed) {
        return new Failure(failed.getMessage() + REMEDY);
    }
}
