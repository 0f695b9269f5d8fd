// How a page of the demo begins and goes on.
import { showError } from './hud';

interface Page {
  /** Draws a picture. `now` in ms, as of requestAnimationFrame. */
  frame(now: number): void;
}

/** Makes a page and then draws it, picture after picture. Shows what goes wrong while it is made. */
export async function runPage(make: () => Page | Promise<Page>): Promise<void> {
  try {
    const page = await make();
    const onFrame = (now: number) => {
      page.frame(now);
      requestAnimationFrame(onFrame);
    };
    requestAnimationFrame(onFrame);
  } catch (error) {
    showError(error);
  }
}
