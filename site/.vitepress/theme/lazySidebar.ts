// The sidebar comes alive when it is needed: its links work without a program, and on a phone it is out of sight. Making it
// alive at once was half of what a page of the documents computed when it was opened.

import VPSidebar from 'vitepress/dist/client/theme-default/components/VPSidebar.vue';
import { defineAsyncComponent } from 'vue';

const EVENTS = ['pointerdown', 'keydown', 'focusin'] as const;

export default defineAsyncComponent({
  loader: () => Promise.resolve(VPSidebar),
  hydrate(hydrate) {
    const begin = () => {
      end();
      hydrate();
    };
    // Before the click that opens it: an event of the pointer comes first.
    for (const type of EVENTS) addEventListener(type, begin, { capture: true });
    const wide = matchMedia('(min-width: 960px)').matches && 'requestIdleCallback' in window;
    const idle = wide ? requestIdleCallback(begin, { timeout: 3000 }) : 0;
    const end = () => {
      for (const type of EVENTS) removeEventListener(type, begin, { capture: true });
      if (wide) cancelIdleCallback(idle);
    };
    return end;
  },
});
