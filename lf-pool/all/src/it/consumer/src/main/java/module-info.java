/** A project that knows Cabrank by one dependency. */
module consumer {
    requires org.cabrank;
}
