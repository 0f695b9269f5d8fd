// A scene of the gallery in a worker.
import { GalleryScene } from './galleryScene';
import { serveScene } from './offscreenWorker';

serveScene(GalleryScene.open);
