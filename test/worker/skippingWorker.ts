// The physics worker with a clock that can be put forward, as a suspended computer does: by the ms that are said
// on the channel `skip`.
import '../../worker/physics.worker';

const now = performance.now.bind(performance);
let skipped = 0;
performance.now = () => now() + skipped;
new BroadcastChannel('skip').onmessage = ({ data }) => {
  skipped += data;
};
