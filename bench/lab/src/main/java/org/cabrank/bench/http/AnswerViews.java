package org.cabrank.bench.http;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** One thread's views of the answers of a second, made when first wanted: at most one for each answer in a second. */
final class AnswerViews {
    private static final ThreadLocal<AnswerViews> OF_THREAD = ThreadLocal.withInitial(AnswerViews::new);

    private final ByteBuffer[] views = new ByteBuffer[HttpAnswers.count()];
    private HttpAnswers answers = HttpAnswers.now();

    private AnswerViews() {}

    /** The views of the calling thread, of the answers of now. */
    static AnswerViews now() {
        AnswerViews own = OF_THREAD.get();
        HttpAnswers now = HttpAnswers.now();
        if (own.answers != now) {
            own.answers = now;
            Arrays.fill(own.views, null);
        }
        return own;
    }

    /** An answer, all of it remaining; valid until the thread asks for another. */
    ByteBuffer answer(int status, HttpAnswers.End end, boolean withBody) {
        int index = HttpAnswers.index(status, end);
        ByteBuffer view = views[index];
        if (view == null) {
            view = answers.view(index);
            views[index] = view;
        }
        return view.clear().limit(withBody ? view.capacity() : answers.headBytes(index));
    }
}
