import DefaultTheme from 'vitepress/theme-without-fonts'; // the fonts of the reader's system
import { defineAsyncComponent } from 'vue';
import Gallery from './Gallery.vue';
import Landing from './Landing.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app, router }) {
    // For the tests: which page is there.
    router.onAfterRouteChanged = (to: string) => Object.assign(globalThis, { arrived: to });
    app.component('Landing', Landing);
    app.component('Gallery', Gallery);
    app.component(
      'GoldenHashes',
      defineAsyncComponent(() => import('./GoldenHashes.vue')),
    );
    app.component(
      'Benchmark',
      defineAsyncComponent(() => import('./Benchmark.vue')),
    );
    app.component(
      'Playground',
      defineAsyncComponent(() => import('./Playground.vue')),
    );
  },
};
