// The scene of the landing page in a worker.
import { LandingScene } from './landingScene';
import { serveScene } from './offscreenWorker';

serveScene(LandingScene.open);
