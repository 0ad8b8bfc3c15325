package org.cabrank.lf.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The state of a handle that several threads hold at once. */
class ConcurrentClaimStateTest {
    private static final class State extends ClaimState {
        State() {
            super(true);
        }
    }

    private final State state = new State();

    @Test
    void concurrentHandleCountsItsHolders() {
        assertTrue(state.isConcurrentState());
        assertEquals(ReadyBits.READ, state.claim(ReadyBits.READ));
        assertEquals(ReadyBits.READ, state.claim(ReadyBits.READ), "beside the first");
        assertEquals(2, state.holders());
        assertEquals(0, state.release());
        assertEquals(0, state.release());
        assertEquals(0, state.holders());
        assertFalse(state.isClaimed());
    }

    @Test
    void postToAConcurrentHandleIsListedThoughThreadsAreInside() {
        state.claim(ReadyBits.READ);
        assertTrue(state.notePosted(ReadyBits.POSTED));
        assertFalse(state.notePosted(ReadyBits.POSTED_2), "it is on the list");
        assertEquals(ReadyBits.POSTED | ReadyBits.POSTED_2, state.claimPosted());
        assertEquals(2, state.holders());
        assertEquals(0, state.release());
        assertEquals(0, state.release());
    }

    @Test
    void lastHolderOfAConcurrentHandleIsGivenTheRequestToClose() {
        state.claim(ReadyBits.READ);
        state.claim(ReadyBits.READ);
        assertFalse(state.notePosted(ReadyBits.CLOSE), "those inside see to it");
        assertEquals(0, state.claim(ReadyBits.WRITE), "nobody is let in any more");
        assertFalse(state.notePosted(ReadyBits.POSTED));
        assertEquals(0, state.claimPosted());
        assertEquals(0, state.release(), "another is inside still");
        assertEquals(ReadyBits.CLOSE | ReadyBits.WRITE | ReadyBits.POSTED, state.release());
        assertTrue(state.isClaimed(), "alone");
        assertEquals(0, state.holders());
        assertEquals(0, state.claim(ReadyBits.READ));
        assertTrue(state.markClosed());
        assertEquals(0, state.release());
        assertFalse(state.isClaimed());
        assertEquals(0, state.claim(ReadyBits.READ));
    }

    @Test
    void requestToCloseAConcurrentHandleThatNobodyHoldsIsListed() {
        assertTrue(state.notePosted(ReadyBits.CLOSE));
        assertEquals(ReadyBits.CLOSE, state.claimPosted());
        assertEquals(0, state.claim(ReadyBits.READ), "whoever closes is alone");
        assertTrue(state.markClosed());
        assertEquals(0, state.release());
    }

    @Test
    void eventTakesTheRequestToCloseAConcurrentHandleAlong() {
        state.notePosted(ReadyBits.CLOSE);
        assertEquals(ReadyBits.CLOSE | ReadyBits.READ, state.claim(ReadyBits.READ));
        assertEquals(0, state.claimPosted());
        state.markClosed();
        assertEquals(0, state.release());
    }

    @Test
    void lastHolderThatYieldsListsTheRequestToClose() {
        state.claim(ReadyBits.READ);
        state.claim(ReadyBits.READ);
        state.notePosted(ReadyBits.CLOSE);
        assertFalse(state.yield(), "the other sees to it");
        assertTrue(state.yield());
        assertEquals(ReadyBits.CLOSE, state.claimPosted());
    }

    @Test
    void suspendedConcurrentHandleKeepsEventsBackUntilItIsResumed() {
        state.claim(ReadyBits.READ);
        assertTrue(state.suspend());
        assertEquals(0, state.claim(ReadyBits.READ));
        assertFalse(state.notePosted(ReadyBits.POSTED));
        assertEquals(0, state.release());
        assertEquals(ClaimState.Resumption.POST_DUE, state.resume(0));
        assertEquals(ReadyBits.READ | ReadyBits.POSTED, state.claimPosted());
    }

    @Test
    void resumedConcurrentHandleIsListedThoughAThreadIsInside() {
        state.claim(ReadyBits.READ);
        state.suspend();
        state.claim(ReadyBits.READ);
        assertEquals(ClaimState.Resumption.POST_DUE, state.resume(0));
        assertEquals(ReadyBits.READ, state.claimPosted());
        assertEquals(2, state.holders());
    }

    @Test
    void eventWithoutRoomForAHolderIsLeftToTheHolders() {
        for (int i = 0; i < ClaimState.HOLDERS_MAX; i++) {
            assertEquals(ReadyBits.READ, state.claim(ReadyBits.READ));
        }
        assertEquals(0, state.claim(ReadyBits.WRITE));
        assertFalse(state.notePosted(ReadyBits.POSTED));
        assertEquals(ReadyBits.WRITE | ReadyBits.POSTED, state.release());
        for (int i = 0; i < ClaimState.HOLDERS_MAX; i++) {
            assertEquals(0, state.release());
        }
        assertFalse(state.isClaimed());
        assertTrue(state.isConcurrentState(), "the count has not spilled over");
    }

    @Test
    void onlyThreadEntersAConcurrentHandleWithoutMarking() {
        assertEquals(ReadyBits.READ, state.claimAlone(ReadyBits.READ));
        assertEquals(0, state.holders());
        assertTrue(state.notePosted(ReadyBits.CLOSE));
        assertEquals(ReadyBits.CLOSE, state.release());
        assertTrue(state.markClosed());
        assertEquals(0, state.release());
        assertEquals(0, state.claimPosted());
        assertEquals(0, state.claimAlone(ReadyBits.READ));
    }
}
