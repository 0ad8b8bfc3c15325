/** System calls through the Foreign Function and Memory API. */
module org.cabrank.kernel.panama {
    requires org.cabrank.kernel;
}
