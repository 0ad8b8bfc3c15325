-- Lets the bench say when wrk begins, and tells it in lines what came of the run:
--
--   bench       wrk
--            <- ready CPU            nobody is connected yet; CPU: seconds that wrk has used so far
--   go       ->
--            <- (lines of wrk's own, the last before it begins ends with "connections")
--   SIGINT   ->
--            <- (lines of wrk's own)
--            <- measured CPU         all connections still stand
--   result   ->
--            <- result NAME NUMBER ...
--            <- latencies MICROSECONDS TIMES ...
--
-- Standard input ends with the bench: then wrk ends too.

local asked = false

-- In wrk's main thread, before each of its threads is started.
function setup(thread)
   if asked then
      return
   end
   asked = true
   -- wrk writes through the same stream.
   io.stdout:setvbuf("line")
   io.write(string.format("ready %.6f\n", os.clock()))
   if not io.read() then
      os.exit(1)
   end
end

function done(summary, latency, requests)
   io.write(string.format("measured %.6f\n", os.clock()))
   if not io.read() then
      os.exit(1)
   end
   io.stdout:setvbuf("full")
   local errors = summary.errors
   io.write(string.format("result requests %.0f duration %.0f bytes %.0f", summary.requests, summary.duration,
      summary.bytes))
   io.write(string.format(" connect %.0f read %.0f write %.0f status %.0f timeout %.0f\n", errors.connect, errors.read,
      errors.write, errors.status, errors.timeout))
   io.write("latencies")
   -- Without one answer, wrk has no least latency to begin at.
   local values = summary.requests > 0 and #latency or 0
   -- wrk looks for each value from the least on: in all, no more steps than microseconds that connections waited.
   for i = 1, values do
      local microseconds, times = latency(i)
      io.write(string.format(" %.0f %.0f", microseconds, times))
   end
   io.write("\n")
   io.flush()
end
