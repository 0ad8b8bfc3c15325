package org.cabrank.lf;

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
        assertEquals(Ready.READ, state.claim(Ready.READ));
        assertEquals(Ready.READ, state.claim(Ready.READ), "beside the first");
        assertEquals(2, state.holders());
        assertEquals(0, state.release());
        assertEquals(0, state.release());
        assertEquals(0, state.holders());
        assertFalse(state.isClaimed());
    }

    @Test
    void postToAConcurrentHandleIsListedThoughThreadsAreInside() {
        state.claim(Ready.READ);
        assertTrue(state.notePosted(Ready.POSTED));
        assertFalse(state.notePosted(Ready.POSTED_2), "it is on the list");
        assertEquals(Ready.POSTED | Ready.POSTED_2, state.claimPosted());
        assertEquals(2, state.holders());
        assertEquals(0, state.release());
        assertEquals(0, state.release());
    }

    @Test
    void lastHolderOfAConcurrentHandleIsGivenTheRequestToClose() {
        state.claim(Ready.READ);
        state.claim(Ready.READ);
        assertFalse(state.notePosted(Ready.CLOSE), "those inside see to it");
        assertEquals(0, state.claim(Ready.WRITE), "nobody is let in any more");
        assertFalse(state.notePosted(Ready.POSTED));
        assertEquals(0, state.claimPosted());
        assertEquals(0, state.release(), "another is inside still");
        assertEquals(Ready.CLOSE | Ready.WRITE | Ready.POSTED, state.release());
        assertTrue(state.isClaimed(), "alone");
        assertEquals(0, state.holders());
        assertEquals(0, state.claim(Ready.READ));
        assertTrue(state.markClosed());
        assertEquals(0, state.release());
        assertFalse(state.isClaimed());
        assertEquals(0, state.claim(Ready.READ));
    }

    @Test
    void requestToCloseAConcurrentHandleThatNobodyHoldsIsListed() {
        assertTrue(state.notePosted(Ready.CLOSE));
        assertEquals(Ready.CLOSE, state.claimPosted());
        assertEquals(0, state.claim(Ready.READ), "whoever closes is alone");
        assertTrue(state.markClosed());
        assertEquals(0, state.release());
    }

    @Test
    void eventTakesTheRequestToCloseAConcurrentHandleAlong() {
        state.notePosted(Ready.CLOSE);
        assertEquals(Ready.CLOSE | Ready.READ, state.claim(Ready.READ));
        assertEquals(0, state.claimPosted());
        state.markClosed();
        assertEquals(0, state.release());
    }

    @Test
    void lastHolderThatYieldsListsTheRequestToClose() {
        state.claim(Ready.READ);
        state.claim(Ready.READ);
        state.notePosted(Ready.CLOSE);
        assertFalse(state.yield(), "the other sees to it");
        assertTrue(state.yield());
        assertEquals(Ready.CLOSE, state.claimPosted());
    }

    @Test
    void suspendedConcurrentHandleKeepsEventsBackUntilItIsResumed() {
        state.claim(Ready.READ);
        assertTrue(state.suspend());
        assertEquals(0, state.claim(Ready.READ));
        assertFalse(state.notePosted(Ready.POSTED));
        assertEquals(0, state.release());
        assertEquals(ClaimState.Resumption.POST_DUE, state.resume(0));
        assertEquals(Ready.READ | Ready.POSTED, state.claimPosted());
    }

    @Test
    void resumedConcurrentHandleIsListedThoughAThreadIsInside() {
        state.claim(Ready.READ);
        state.suspend();
        state.claim(Ready.READ);
        assertEquals(ClaimState.Resumption.POST_DUE, state.resume(0));
        assertEquals(Ready.READ, state.claimPosted());
        assertEquals(2, state.holders());
    }

    @Test
    void whatFindsNoRoomAmongTheHoldersIsNotedForThem() {
        for (int i = 0; i < ClaimState.HOLDERS_MAX; i++) {
            assertEquals(Ready.READ, state.claim(Ready.READ));
        }
        assertEquals(0, state.claim(Ready.WRITE));
        assertFalse(state.notePosted(Ready.POSTED));
        assertEquals(Ready.WRITE | Ready.POSTED, state.release());
        for (int i = 0; i < ClaimState.HOLDERS_MAX; i++) {
            assertEquals(0, state.release());
        }
        assertFalse(state.isClaimed());
        assertTrue(state.isConcurrentState(), "the count has not spilled over");
    }

    @Test
    void onlyThreadEntersAConcurrentHandleWithoutMarking() {
        assertEquals(Ready.READ, state.claimAlone(Ready.READ));
        assertEquals(0, state.holders());
        assertTrue(state.notePosted(Ready.CLOSE));
        assertEquals(Ready.CLOSE, state.release());
        assertTrue(state.markClosed());
        assertEquals(0, state.release());
        assertEquals(0, state.claimPosted());
        assertEquals(0, state.claimAlone(Ready.READ));
    }
}
