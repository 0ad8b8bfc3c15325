/** A handle set and a stream transport over io_uring. */
module org.cabrank.iouring {
    requires org.cabrank.kernel;
    requires org.cabrank.lf;
}
