package org.cabrank.bench.run;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

final class JvmCommand {

    private final List<String> start;
    private final List<String> flags;

    private JvmCommand(List<String> start, List<String> flags) {
        this.start = start;
        this.flags = flags;
    }

    static JvmCommand likeThisOne() {
        String java = ProcessHandle.current()
                .info()
                .command()
                .orElse(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        return new JvmCommand(
                List.of(java), ManagementFactory.getRuntimeMXBean().getInputArguments());
    }

    JvmCommand with(List<String> moreFlags) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(moreFlags);
        return new JvmCommand(start, all);
    }

    List<String> flags() {
        return flags;
    }

    List<String> run(List<String> moreFlags, Class<?> mainClass, List<String> arguments) {
        return run(moreFlags, List.of(), mainClass, arguments);
    }

    List<String> run(List<String> moreFlags, List<Path> moreJars, Class<?> mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>(start);
        command.addAll(flags);
        command.addAll(moreFlags);
        command.add("-cp");
        StringBuilder classPath = new StringBuilder(System.getProperty("java.class.path"));
        moreJars.forEach(jar -> classPath.append(File.pathSeparatorChar).append(jar));
        command.add(classPath.toString());
        command.add(mainClass.getName());
        command.addAll(arguments);
        return command;
    }
}
