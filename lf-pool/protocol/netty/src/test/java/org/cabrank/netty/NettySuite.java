package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import io.netty.testsuite.transport.socket.AbstractSocketReuseFdTest;
import io.netty.testsuite.transport.socket.CompositeBufferGatheringWriteTest;
import io.netty.testsuite.transport.socket.DatagramConnectNotExistsTest;
import io.netty.testsuite.transport.socket.DatagramConnectedWriteExceptionTest;
import io.netty.testsuite.transport.socket.DatagramMulticastIPv6Test;
import io.netty.testsuite.transport.socket.DatagramMulticastTest;
import io.netty.testsuite.transport.socket.DatagramUnicastIPv6MappedTest;
import io.netty.testsuite.transport.socket.DatagramUnicastIPv6Test;
import io.netty.testsuite.transport.socket.DatagramUnicastInetTest;
import io.netty.testsuite.transport.socket.ServerSocketSuspendTest;
import io.netty.testsuite.transport.socket.SocketAddressesTest;
import io.netty.testsuite.transport.socket.SocketAutoReadTest;
import io.netty.testsuite.transport.socket.SocketBufReleaseTest;
import io.netty.testsuite.transport.socket.SocketCancelWriteTest;
import io.netty.testsuite.transport.socket.SocketChannelNotYetConnectedTest;
import io.netty.testsuite.transport.socket.SocketCloseForciblyTest;
import io.netty.testsuite.transport.socket.SocketConditionalWritabilityTest;
import io.netty.testsuite.transport.socket.SocketConnectTest;
import io.netty.testsuite.transport.socket.SocketConnectionAttemptTest;
import io.netty.testsuite.transport.socket.SocketDataReadInitialStateTest;
import io.netty.testsuite.transport.socket.SocketEchoTest;
import io.netty.testsuite.transport.socket.SocketExceptionHandlingTest;
import io.netty.testsuite.transport.socket.SocketFileRegionTest;
import io.netty.testsuite.transport.socket.SocketFixedLengthEchoTest;
import io.netty.testsuite.transport.socket.SocketGatheringWriteTest;
import io.netty.testsuite.transport.socket.SocketHalfClosedTest;
import io.netty.testsuite.transport.socket.SocketMultipleConnectTest;
import io.netty.testsuite.transport.socket.SocketObjectEchoTest;
import io.netty.testsuite.transport.socket.SocketReadPendingTest;
import io.netty.testsuite.transport.socket.SocketRstTest;
import io.netty.testsuite.transport.socket.SocketShutdownOutputByPeerTest;
import io.netty.testsuite.transport.socket.SocketShutdownOutputBySelfTest;
import io.netty.testsuite.transport.socket.SocketSpdyEchoTest;
import io.netty.testsuite.transport.socket.SocketSslClientRenegotiateTest;
import io.netty.testsuite.transport.socket.SocketSslEchoTest;
import io.netty.testsuite.transport.socket.SocketSslGreetingTest;
import io.netty.testsuite.transport.socket.SocketSslSessionReuseTest;
import io.netty.testsuite.transport.socket.SocketStartTlsTest;
import io.netty.testsuite.transport.socket.SocketStringEchoTest;
import io.netty.testsuite.transport.socket.TrafficShapingHandlerTest;
import io.netty.testsuite.transport.socket.WriteBeforeRegisteredTest;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Netty's own tests of sockets, over this transport as server and as client. */
abstract class NettySuite {
    /** The longer tests run in a soak alone. */
    static final String SOAK = "cabrank.soak.seconds";

    abstract SuitePairs pairs();

    @AfterAll
    static void everyBufferIsReleased() {
        assertEquals(List.of(), CountingLeakDetector.leaks());
    }

    @Nested
    class CompositeBufferGatheringWrite extends CompositeBufferGatheringWriteTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().ownSocket();
        }
    }

    @Nested
    class SocketAutoRead extends SocketAutoReadTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    class SocketBufRelease extends SocketBufReleaseTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    class SocketCancelWrite extends SocketCancelWriteTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    class SocketCloseForcibly extends SocketCloseForciblyTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class SocketConditionalWritability extends SocketConditionalWritabilityTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    class SocketConnect extends SocketConnectTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    class SocketDataReadInitialState extends SocketDataReadInitialStateTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().ownSocket();
        }
    }

    @Nested
    class SocketEcho extends SocketEchoTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class SocketExceptionHandling extends SocketExceptionHandlingTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    class SocketFileRegion extends SocketFileRegionTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().ownSocket();
        }
    }

    @Nested
    class SocketFixedLengthEcho extends SocketFixedLengthEchoTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class SocketGatheringWrite extends SocketGatheringWriteTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    class SocketHalfClosed extends SocketHalfClosedTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().ownSocket();
        }
    }

    @Nested
    class SocketMultipleConnect extends SocketMultipleConnectTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class SocketObjectEcho extends SocketObjectEchoTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class SocketReadPending extends SocketReadPendingTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    class SocketRst extends SocketRstTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class SocketSpdyEcho extends SocketSpdyEchoTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class SocketSslClientRenegotiate extends SocketSslClientRenegotiateTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class SocketSslEcho extends SocketSslEchoTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    class SocketSslGreeting extends SocketSslGreetingTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().ownSocket();
        }
    }

    @Nested
    class SocketSslSessionReuse extends SocketSslSessionReuseTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().ownSocket();
        }
    }

    @Nested
    class SocketStartTls extends SocketStartTlsTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().ownSocket();
        }
    }

    @Nested
    class SocketStringEcho extends SocketStringEchoTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class TrafficShapingHandler extends TrafficShapingHandlerTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }
    }

    @Nested
    class SocketChannelNotYetConnected extends SocketChannelNotYetConnectedTest {
        @Override
        protected List<BootstrapFactory<Bootstrap>> newFactories() {
            return pairs().ownClient();
        }
    }

    @Nested
    class SocketConnectionAttempt extends SocketConnectionAttemptTest {
        @Override
        protected List<BootstrapFactory<Bootstrap>> newFactories() {
            return pairs().ownClient();
        }

        /** Fails for Netty's own transports as well where the network accepts every address. */
        @Override
        @Test
        public void testConnectCancellation(TestInfo info) throws Throwable {
            assumeFalse(SuitePairs.isUnassignedAddressReached(), "the network accepts every address");
            super.testConnectCancellation(info);
        }
    }

    @Nested
    class SocketShutdownOutputBySelf extends SocketShutdownOutputBySelfTest {
        @Override
        protected List<BootstrapFactory<Bootstrap>> newFactories() {
            return pairs().ownClient();
        }
    }

    @Nested
    class WriteBeforeRegistered extends WriteBeforeRegisteredTest {
        @Override
        protected List<BootstrapFactory<Bootstrap>> newFactories() {
            return pairs().ownClient();
        }
    }

    @Nested
    class ServerSocketSuspend extends ServerSocketSuspendTest {
        @Override
        protected List<BootstrapFactory<ServerBootstrap>> newFactories() {
            return pairs().ownServer();
        }
    }

    @Nested
    class SocketShutdownOutputByPeer extends SocketShutdownOutputByPeerTest {
        @Override
        protected List<BootstrapFactory<ServerBootstrap>> newFactories() {
            return pairs().ownServer();
        }
    }

    @Nested
    class DatagramUnicastInet extends DatagramUnicastInetTest {
        @Override
        protected List<BootstrapComboFactory<Bootstrap, Bootstrap>> newFactories() {
            return pairs().datagram(socketInternetProtocalFamily());
        }
    }

    @Nested
    class DatagramUnicastIPv6 extends DatagramUnicastIPv6Test {
        @Override
        protected List<BootstrapComboFactory<Bootstrap, Bootstrap>> newFactories() {
            return pairs().datagram(socketInternetProtocalFamily());
        }
    }

    @Nested
    class DatagramUnicastIPv6Mapped extends DatagramUnicastIPv6MappedTest {
        @Override
        protected List<BootstrapComboFactory<Bootstrap, Bootstrap>> newFactories() {
            return pairs().datagram(socketInternetProtocalFamily());
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class DatagramMulticast extends DatagramMulticastTest {
        @Override
        protected List<BootstrapComboFactory<Bootstrap, Bootstrap>> newFactories() {
            return pairs().datagram(socketInternetProtocalFamily());
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class DatagramMulticastIPv6 extends DatagramMulticastIPv6Test {
        @Override
        protected List<BootstrapComboFactory<Bootstrap, Bootstrap>> newFactories() {
            return pairs().datagram(socketInternetProtocalFamily());
        }
    }

    @Nested
    class DatagramConnectNotExists extends DatagramConnectNotExistsTest {
        @Override
        protected List<BootstrapFactory<Bootstrap>> newFactories() {
            return pairs().datagramSocket();
        }
    }

    @Nested
    class DatagramConnectedWriteException extends DatagramConnectedWriteExceptionTest {
        @Override
        protected List<BootstrapFactory<Bootstrap>> newFactories() {
            return pairs().datagramSocket();
        }
    }

    @Nested
    class SocketAddresses extends SocketAddressesTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().socket();
        }

        @Override
        protected void assertAddress(SocketAddress address) {
            assertTrue(((InetSocketAddress) address).getPort() > 0, address::toString);
        }
    }

    @Nested
    class UnixSocketDataReadInitialState extends SocketDataReadInitialStateTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().unix();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return SuitePairs.newUnixAddress();
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class UnixSocketObjectEcho extends SocketObjectEchoTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().unix();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return SuitePairs.newUnixAddress();
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class UnixSocketReuseOfDescriptors extends AbstractSocketReuseFdTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().unix();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return SuitePairs.newUnixAddress();
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class UnixSocketSslClientRenegotiate extends SocketSslClientRenegotiateTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().unix();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return SuitePairs.newUnixAddress();
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class UnixSocketSslEcho extends SocketSslEchoTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().unix();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return SuitePairs.newUnixAddress();
        }
    }

    @Nested
    class UnixSocketStartTls extends SocketStartTlsTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().unix();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return SuitePairs.newUnixAddress();
        }
    }

    @Nested
    class UnixSocketEcho extends SocketEchoTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().unix();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return SuitePairs.newUnixAddress();
        }
    }

    @Nested
    class UnixSocketFixedLengthEcho extends SocketFixedLengthEchoTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().unix();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return SuitePairs.newUnixAddress();
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class UnixSocketGatheringWrite extends SocketGatheringWriteTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().unix();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return SuitePairs.newUnixAddress();
        }
    }

    @Nested
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    class UnixSocketFileRegion extends SocketFileRegionTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().unix();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return SuitePairs.newUnixAddress();
        }
    }

    @Nested
    class UnixSocketSslGreeting extends SocketSslGreetingTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().unix();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return SuitePairs.newUnixAddress();
        }
    }

    @Nested
    class UnixSocketStringEcho extends SocketStringEchoTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return pairs().unix();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return SuitePairs.newUnixAddress();
        }
    }
}
