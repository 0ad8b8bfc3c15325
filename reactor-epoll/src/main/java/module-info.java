/** A handle set and a stream transport over epoll. */
module org.cabrank.epoll {
    requires org.cabrank.kernel;
    requires org.cabrank.lf;
}
